"""bench/compare's arithmetic on lines made up for it; nothing is run, nothing is timed."""
import unittest

import compare_report as report

WORKLOADS = {"gemm": {"bytes": None, "flops": 2e9}, "triad": {"bytes": 1e9, "flops": None},
             "conv": {"bytes": None, "flops": None}}


def line(system, workload, metric, value, **more):
    return dict(system=system, workload=workload, metric=metric, value=value, **more)


LINES = [
    line("kiln", "gemm", "run_s", 0.030, round=0), line("kiln", "gemm", "callable_s", 0.020, round=0),
    line("kiln", "gemm", "callable_s", 0.025, round=1),
    line("kiln", "triad", "run_s", 0.050, round=0),
    line("kiln", "conv", "error", None, error="NOT_FOUND: Conv2D", op="Conv2D", round=0),
    line("kiln", "gemm", "first_call_s", 0.10, round=0),
    line("kiln", "shapes100", "total_s", 0.5, round=0),
    line("tf", "gemm", "run_s", 0.044, round=0), line("tf", "gemm", "run_s", 0.040, round=1),
    line("jax", "gemm", "run_s", 0.050, round=0), line("tf", "conv", "run_s", 0.010, round=0),
    line("jax", "triad", "run_s", 0.025, round=0), line("tf", "shapes100", "total_s", 1.0, round=0),
    dict(system="limit", workload="fma", threads=1, gflops=100.0),
    dict(system="limit", workload="fma", threads=2, gflops=200.0),
    dict(system="limit", workload="triad", threads=2, gbs=50.0),
]
NAMES = ["gemm", "triad", "conv", "shapes100"]


def summary(lines=LINES, peers=("tf", "jax")):
    return report.summarize(lines, NAMES, WORKLOADS, list(peers))


def row_of(result, workload, kind="step"):
    return next(row for row in result["rows"] if (row["workload"], row["kind"]) == (workload, kind))


class Compare(unittest.TestCase):
    def test_takes_the_least_of_each_system_and_the_best_peer(self):
        row = row_of(summary(), "gemm")
        self.assertEqual((row["best_peer"], row["kiln_s"], row["peer_s"]), ("tf", 0.020, 0.040))
        self.assertAlmostEqual(row["ratio"], 2.0)

    def test_limit_is_the_best_of_all_threads(self):
        self.assertAlmostEqual(row_of(summary(), "gemm")["of_limit"], 0.5)
        self.assertAlmostEqual(row_of(summary(), "triad")["limit_s"], 0.02)

    def test_spread_is_the_larger_of_the_two(self):
        self.assertAlmostEqual(row_of(summary(), "gemm")["spread"], 0.125)

    def test_a_single_round_has_no_spread(self):
        self.assertNotIn("spread", row_of(summary(), "triad"))

    def test_an_error_shows_the_op_and_keeps_the_peer(self):
        row = row_of(summary(), "conv")
        self.assertEqual((row["error"], row["best_peer"]), ("Conv2D", "tf"))
        self.assertNotIn("ratio", row)

    def test_a_peer_ahead_is_shown(self):
        self.assertIn("| triad | jax | 25 ms | 50 ms | 0.50 |", report.markdown(summary()))

    def test_a_job_is_a_row_of_its_own(self):
        self.assertAlmostEqual(row_of(summary(), "shapes100", "total")["ratio"], 2.0)

    def test_kiln_alone_has_limits_and_no_ratio(self):
        row = row_of(summary(peers=()), "gemm")
        self.assertNotIn("ratio", row)
        self.assertIn("of_limit", row)

    def test_against_fails_beyond_ten_percent(self):
        def slower(factor):
            return summary([dict(x, value=x["value"] * factor) if x["system"] == "kiln" and x["value"]
                            and x["metric"] != "error" else x for x in LINES if "metric" in x] +
                           [x for x in LINES if "metric" not in x])
        self.assertEqual(report.compare(summary(), slower(1.09))[0], [])
        self.assertEqual(len(report.compare(summary(), slower(1.12))[0]), 3)

    def test_against_refuses_other_peers(self):
        self.assertIn("expected the peers", report.compare(summary(), summary(peers=["tf"]))[0][0])

    def test_against_kiln_alone_uses_the_limit(self):
        self.assertEqual(report.compare(summary(), summary(peers=())), ([], []))

    def against_itself(self, factor, cores=2):
        """Problems of Kiln alone whose shapes100, which has no limit, takes factor times as long."""
        runs = []
        for scale in (1, factor):
            runs.append(summary([dict(x, value=x["value"] * scale)
                                 if (x["system"], x["workload"]) == ("kiln", "shapes100") else x
                                 for x in LINES], peers=()))
        runs[0]["machine"], runs[1]["machine"] = {"cpu": "x", "cores": 2}, {"cpu": "x", "cores": cores}
        return report.compare(*runs)[0]

    def test_against_kiln_alone_compares_seconds_where_there_is_no_limit(self):
        self.assertEqual(self.against_itself(1.09), [])
        self.assertEqual(self.against_itself(1.12),
                         ["shapes100, total: steps a second fell from 2 to 1.79"])

    def test_against_another_machine_compares_no_seconds(self):
        self.assertEqual(self.against_itself(2, cores=4), [])

    def test_against_leaves_first_calls_out(self):
        slow = [dict(x, value=1.0) if x["system"] == "kiln" and x["metric"] == "first_call_s" else x
                for x in LINES if "metric" in x] + [x for x in LINES if "metric" not in x]
        runs = [summary(peers=()), summary(slow, peers=())]
        for run in runs:
            run["machine"] = {"cpu": "x", "cores": 2}
        self.assertEqual(report.compare(*runs)[0], [])

    def test_against_reports_what_stopped_running(self):
        broken = [x for x in LINES if (x["system"], x["workload"]) != ("kiln", "gemm")]
        broken.append(line("kiln", "gemm", "error", None, error="x", op="MatMul"))
        self.assertTrue(any("now MatMul" in text
                            for text in report.compare(summary(), summary(broken))[0]))

    def test_lines_among_other_output_are_found(self):
        text = 'noise\n{"system": "tf", "workload": "a", "metric": "run_s", "value": 1}\n{bad\n[1]\n'
        self.assertEqual(len(report.parse_lines(text)), 1)

    def test_chart_is_well_formed(self):
        import xml.dom.minidom
        chart = report.chart(summary())
        self.assertEqual(len(xml.dom.minidom.parseString(chart).getElementsByTagName("rect")), 4)


if __name__ == "__main__":
    unittest.main()
