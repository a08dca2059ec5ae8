//! A module whose functions are written: its sections.

use wasm_encoder::{
    CodeSection, ConstExpr, DataSection, ExportKind, ExportSection, FunctionSection, MemorySection,
    MemoryType, Module, TypeSection,
};

use super::{Emit, Emitter, Hash, Key, WORK, Wasm, global};

impl Emitter<'_> {
    /// The module, with functions by the names under which hosts know them.
    pub(crate) fn finish(mut self, exports: &[(&str, Key)]) -> Emit<Wasm> {
        if exports.iter().all(|(_, key)| *key == Key::Perft(Hash::Ignored)) {
            self.guess_idle();
        }
        self.write_exports(exports)?;
        if !self.idle.is_disjoint(&self.asked) {
            let trees = self.trees;
            self = Emitter::new(self.program);
            self.trees = trees;
            self.write_exports(exports)?;
        }
        self.link(exports)
    }

    fn write_exports(&mut self, exports: &[(&str, Key)]) -> Emit {
        self.tells_turns = self.must_tell_turns()?;
        self.counts = exports.iter().any(|(_, key)| *key == Key::Perft(Hash::Ignored));
        for (_, key) in exports {
            self.want(*key);
        }
        self.write_all()
    }

    /// Puts the functions together that were written.
    fn link(mut self, exports: &[(&str, Key)]) -> Emit<Wasm> {
        let init = self.want(Key::Init);
        self.write_all()?;
        let mut module = Module::new();
        let mut types = TypeSection::new();
        for (params, results) in &self.types {
            types.ty().function(params.iter().copied(), results.iter().copied());
        }
        module.section(&types);
        let mut functions = FunctionSection::new();
        let mut code = CodeSection::new();
        for (of, body) in self.bodies.iter().flatten() {
            functions.function(*of);
            code.function(body);
        }
        module.section(&functions);
        let work = self.memory.end().next_multiple_of(64);
        let mut memories = MemorySection::new();
        memories.memory(MemoryType {
            minimum: ((work + WORK) as u64).div_ceil(1 << 16),
            maximum: Some(((work + WORK) as u64).div_ceil(1 << 16)),
            memory64: false,
            shared: false,
            page_size_log2: None,
        });
        module.section(&memories);
        module.section(&crate::memory::globals(work, (work + self.stride()).next_multiple_of(64)));
        let mut names = ExportSection::new();
        names.export("memory", ExportKind::Memory, 0);
        names.export("work", ExportKind::Global, global::WORK);
        names.export("room", ExportKind::Global, global::ROOM);
        names.export("budget", ExportKind::Global, global::BUDGET);
        names.export("sum", ExportKind::Global, global::SUM);
        names.export("init", ExportKind::Func, init);
        for (name, key) in exports {
            names.export(name, ExportKind::Func, self.index[key]);
        }
        module.section(&names);
        module.section(&code);
        let mut data = DataSection::new();
        for (at, bytes) in self.memory.segments() {
            data.active(0, &ConstExpr::i32_const(*at as i32), bytes.iter().copied());
        }
        module.section(&data);
        let functions = self.index.iter().map(|(key, &at)| (at, format!("{key:?}"))).collect();
        Ok(Wasm {
            bytes: module.finish(),
            words: self.program.tree_words(),
            code: self.size,
            trials: self.trials,
            functions,
        })
    }
}
