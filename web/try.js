// @ts-check
import { find, make } from "./page.js";

/** A value that fits a schema, to begin with. @param {any} schema @param {any} all @returns {any} */
function example(schema, all) {
  if (schema.$ref) return example(all[schema.$ref.split("/").at(-1)], all);
  const required = schema.required ?? [];
  return Object.fromEntries(required.map((/** @type {string} */ name) => [name, value(name, schema.properties[name])]));
}

/** @param {string} name @param {any} schema */
function value(name, schema) {
  if (schema.enum) return schema.enum[0];
  if (schema.type === "integer") return 0;
  return name === "game" ? "chess" : "";
}

/** One address with a form to try it. @param {string} method @param {string} path @param {any} told @param {any} schemas */
function row(method, path, told, schemas) {
  const title = `${method.toUpperCase()} ${path}`;
  /** @type {[any, HTMLInputElement][]} */
  const inputs = told.parameters.map((/** @type {any} */ one) => {
    const label = `${title}: ${one.name}`;
    return [one, make("input", { "aria-label": label, placeholder: one.schema.enum ? one.schema.enum.join(", ") : one.name })];
  });
  const content = Object.values(told.requestBody?.content ?? {})[0];
  const kind = Object.keys(told.requestBody?.content ?? {})[0];
  const body = content ? /** @type {HTMLTextAreaElement} */ (make("textarea", { "aria-label": `${title}: body`, rows: 4 })) : null;
  if (body && content) body.value = content.schema.type === "string" ? "" : JSON.stringify(example(content.schema, schemas), null, 2);
  const output = make("output", {});
  const send = async () => {
    let address = path;
    const query = new URLSearchParams();
    for (const [one, input] of inputs) {
      if (one.in === "path") address = address.replace(`{${one.name}}`, encodeURIComponent(input.value));
      else if (input.value) query.set(one.name, input.value);
    }
    const token = /** @type {HTMLInputElement} */ (find("token")).value.trim();
    /** @type {Record<string, string>} */
    const headers = body ? { "content-type": kind } : {};
    if (token) headers.authorization = `Bearer ${token}`;
    output.textContent = "…";
    try {
      const response = await fetch(address + (query.size ? `?${query}` : ""), { method: method.toUpperCase(), headers, body: body?.value });
      const text = await response.text();
      const shown = /json$/.test(response.headers.get("content-type") ?? "") ? JSON.stringify(JSON.parse(text), null, 2) : text;
      output.textContent = `${response.status} ${response.statusText}\n${shown.slice(0, 20_000)}`;
    } catch (error) {
      output.textContent = String(error);
    }
  };
  // What lasts cannot be shown here.
  const lasts = /socket$|stream$|events$/.test(path);
  const parts = lasts ? [make("p", {}, "This address goes on until the connection ends.")] : [...inputs.map(([, input]) => input), body, make("div", { class: "row" }, make("button", { type: "button", onclick: send }, "Send")), output];
  return make("details", { class: "panel try" }, make("summary", {}, make("code", {}, title), ` ${told.summary}`), ...parts);
}

const told = await (await fetch("/api/openapi.json")).json();
const rows = Object.entries(told.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, one]) => row(method, path, one, told.components.schemas)));
find("list").replaceChildren(...rows);
