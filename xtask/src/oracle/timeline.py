"""Opens a Parquet file of a timeline and says in one line of JSON what is in it.

Arguments: the program to read it with, and the file.
"""

import json
import sys

program, path = sys.argv[1:]

if program == "duckdb":
    import duckdb

    def rows(question):
        return duckdb.sql(question.replace("TREE", f"'{path}'")).fetchall()

    plies = rows("select ply, count(*), count(captured), sum(legal_replies) from TREE group by ply order by ply")
    orphans = rows("select count(*) from TREE where ply > 1 and parent not in (select node from TREE)")[0][0]
    positions = rows("select count(distinct (ply, position)) from TREE")[0][0]
    chance = rows("select sum(probability) from TREE where ply = 1")[0][0]
elif program == "polars":
    import polars as pl

    tree = pl.read_parquet(path)
    by_ply = tree.group_by("ply").agg(
        pl.len(), pl.col("captured").count().alias("captures"), pl.col("legal_replies").sum()
    )
    plies = by_ply.sort("ply").rows()
    orphans = tree.filter(pl.col("ply") > 1).join(tree, left_on="parent", right_on="node", how="anti").height
    positions = tree.select("ply", "position").unique().height
    chances = tree.filter((pl.col("ply") == 1) & pl.col("probability").is_not_null())["probability"]
    chance = chances.sum() if chances.len() else None
else:
    import pandas as pd

    tree = pd.read_parquet(path)
    by_ply = tree.groupby("ply").agg({"node": "size", "captured": "count", "legal_replies": "sum"})
    plies = [[int(ply), *map(int, row)] for ply, row in zip(by_ply.index, by_ply.values)]
    orphans = int((~tree[tree.ply > 1].parent.isin(tree.node)).sum())
    positions = len(tree[["ply", "position"]].drop_duplicates())
    chances = tree[tree.ply == 1].probability.dropna()
    chance = float(chances.sum()) if len(chances) else None

print(
    json.dumps(
        {
            "plies": [[int(number) for number in row] for row in plies],
            "orphans": orphans,
            "positions": positions,
            "chance": None if chance is None else round(chance, 9),
        }
    )
)
