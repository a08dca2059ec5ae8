"""Game trees as tables, and the libraries that read them."""

from __future__ import annotations

import pytest

import senet


def test_a_timeline_is_a_table_of_arrow() -> None:
    timeline = senet.load("chess").timeline(3, columns=["ply", "notation", "captured"])
    assert timeline.columns == ["ply", "notation", "captured"] and timeline.depth == 3
    assert "arrow_schema" in repr(timeline.__arrow_c_schema__())
    assert "arrow_array_stream" in repr(timeline.__arrow_c_stream__())
    assert ("ply", "How many moves deep it is, from 1.") in senet.Timeline.all_columns()
    with pytest.raises(senet.SenetError, match="did you mean `notation`"):
        senet.load("chess").timeline(1, columns=["notatoin"])
    for depth in (0, 65):
        with pytest.raises(senet.SenetError, match="depth"):
            senet.load("chess").timeline(depth)


def test_libraries_of_tables_read_a_timeline() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    timeline = senet.load("chess").timeline(3, columns=["ply", "notation", "captured"])
    table = pyarrow.table(timeline)
    assert table.num_rows == 20 + 400 + 8902
    assert table.column_names == timeline.columns
    schema = pyarrow.schema(timeline)
    assert schema == table.schema
    distinct = pyarrow.table(senet.load("tic-tac-toe").timeline(9, distinct=True))
    assert distinct.num_rows == 9 + 72 + 252 + 756 + 1260 + 1520 + 1140 + 390 + 78
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(timeline).height == table.num_rows


def test_pyarrow_reads_a_timeline_without_a_copy() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    before = pyarrow.total_allocated_bytes()
    table = pyarrow.table(senet.load("chess").timeline(3, columns=["ply", "notation", "path_probability"]))
    assert table.nbytes > 100_000
    assert pyarrow.total_allocated_bytes() == before, "what Senet allocated is used as it is"


def test_duckdb_asks_a_timeline_by_its_name() -> None:
    duckdb = pytest.importorskip("duckdb")
    timeline = senet.load("chess").timeline(3, columns=["ply", "captured"])
    asked = "select ply, count(*), count(captured) from timeline group by ply order by ply"
    assert duckdb.sql(asked).fetchall() == [(1, 20, 0), (2, 400, 0), (3, 8902, 34)]
    # It is walked anew each time.
    assert duckdb.sql("select count(*) from timeline").fetchall() == [(9322,)]


def test_pandas_reads_a_timeline() -> None:
    pandas = pytest.importorskip("pandas")
    timeline = senet.load("chess").timeline(2, columns=["ply", "notation"])
    frame = pandas.DataFrame.from_arrow(timeline)
    assert frame.groupby("ply").size().tolist() == [20, 400]
    assert frame["notation"][0] == "a3"


def test_trees_are_asked_in_sql() -> None:
    pytest.importorskip("datafusion")
    asked = senet.sql("select ply, count(*) as moves from timeline('chess', '', 2) group by ply order by ply")
    assert asked.to_pydict() == {"ply": [1, 2], "moves": [20, 400]}
    tree = senet.load("tic-tac-toe").timeline(3, columns=["ply", "notation"])
    assert senet.sql("select count(*) as n from tree where ply = 3", tree=tree).to_pydict() == {"n": [504]}
    with pytest.raises(senet.UnknownGame, match="did you mean `chess`"):
        senet.sql("select * from timeline('ches', '', 2)")
    for wrong in ("selec 1", "select * from nowhere", "select * from timeline(1, 2, 3)"):
        with pytest.raises(senet.SenetError):
            senet.sql(wrong)
