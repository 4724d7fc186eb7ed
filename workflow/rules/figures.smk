# Figures, each from tables alone: the function that draws it (noiseless.figures.<function>), its
# tables by the names of the function's arguments, the paper's number of it and what it shows (in the
# report), and settings where it needs any. Its caption is report/<paper>_<name of the function>.rst,
# or the one that it names.
FIGURES |= {
    "nsht/fig4": {
        "function": "nsht.fig4",
        "tables": {"budget": "nsht/blurring_budget", "enclosure": "nsht/blurring_enclosure"},
        "figure": "4",
        "shows": "privacy budget against accuracy",
    },
    "nsht/fig5": {
        "function": "nsht.fig5",
        "tables": {"histogram": "nsht/blurring_histogram", "people": "nsht/blurring_people"},
        "figure": "5",
        "shows": "reported weight and height",
        "settings": {
            "bmi_kg_m2": BLURRING["bmi_kg_m2"],
            "histogram_bin": BLURRING["histogram_bin"],
        },
    },
    "nsht/fig5_people": {
        "function": "nsht.fig5_people",
        "tables": {"people": "nsht/blurring_people"},
        "figure": "5, counted",
        "shows": "people moved, people identifiable",
    },
    "nsht/fig6": {
        "function": "nsht.fig6",
        "tables": {"bound": "nsht/leakage_bound"},
        "figure": "6",
        "shows": "bound of the leakage against epsilon",
    },
    "nsht/fig7": {
        "function": "nsht.fig7",
        "tables": {"indistinguishability": "nsht/indistinguishability"},
        "figure": "7",
        "shows": "levels of the average against epsilon",
    },
    "nsht/fig8": {
        "function": "nsht.fig8",
        "tables": {"indistinguishability": "nsht/indistinguishability"},
        "figure": "8",
        "shows": "leakage of the average against people and epsilon",
    },
    "noiseless/fig5": {
        "function": "noiseless_trips.fig5",
        "tables": {"density": "noiseless/trips_density"},
        "figure": "5",
        "shows": "pickups on a map",
        "settings": {**TRIPS_BOX, "levels": TRIPS["map_levels"]},
    },
    "noiseless/fig6": {
        "function": "noiseless_trips.fig6",
        "tables": {
            "known": "noiseless/trips_unique",
            "half": "noiseless/trips_half_unique",
            "budget": "noiseless/trips_budget",
        },
        "figure": "6",
        "shows": "unique trips against epsilon",
    },
    "noiseless/fig6_beyond": {
        "function": "noiseless_trips.fig6_beyond",
        "tables": {
            "known": "noiseless/trips_unique",
            "numbers": "noiseless/trips_unique_by_number",
        },
        "figure": "6, beyond",
        "shows": "larger groups, pickup times, fewer trips",
    },
    "noiseless/fig4": {
        "function": "noiseless_nilm.fig4",
        "tables": {"attacks": "noiseless/nilm_attacks", "recording": "noiseless/nilm_recording"},
        "figure": "4",
        "shows": "f-score of disaggregation against epsilon",
        "settings": {"period_s": NILM["period_s"]},
    },
    "noiseless/fig4_choices": {
        "function": "noiseless_nilm.fig4_choices",
        "tables": {"choices": "noiseless/nilm_choices"},
        "figure": "4, open choices",
        "shows": "what the paper leaves open",
    },
    "deterministic/fig1": {
        "function": "deterministic.fig1",
        "tables": {"raster": "deterministic/raster", "regions": "deterministic/regions"},
        "figure": "1",
        "shows": "regions for an average",
    },
    "deterministic/fig2": {
        "function": "deterministic.fig2",
        "tables": {"raster": "deterministic/raster", "regions": "deterministic/regions"},
        "figure": "2",
        "shows": "regions for a quadratic query",
    },
    "deterministic/fig3": {
        "function": "deterministic.fig3",
        "tables": {"averaging": "deterministic/averaging"},
        "figure": "3",
        "shows": "privacy against accuracy",
    },
    "deterministic/k_anonymity": {
        "function": "deterministic.k_anonymity",
        "tables": {"release": "deterministic/k_anonymity", "attack": "deterministic/homogeneity"},
        "figure": "Section V",
        "shows": "people revealed by k-anonymous data",
    },
    "prrelation/fig3": {
        "function": "prrelation.fig3",
        "tables": {
            "curves": "prrelation/curves",
            "f_scores": "prrelation/f_scores",
            "rates": "prrelation/monte_carlo_rates",
            "counted": "prrelation/monte_carlo_f_scores",
        },
        "figure": "3",
        "shows": "precision, recall and F-score of a Laplace answer",
        "settings": {"answers": PRRELATION["monte_carlo"]["answers"]},
    },
    "prrelation/fig4": {
        "function": "prrelation.fig4",
        "tables": {"curves": "prrelation/curves", "rates": "prrelation/monte_carlo_rates"},
        "figure": "4",
        "shows": "precision and recall of a Gaussian answer",
        "settings": {"answers": PRRELATION["monte_carlo"]["answers"]},
    },
    "prrelation/fig5_6_7": {
        "function": "prrelation.fig5_6_7",
        "tables": {"curves": "prrelation/curves", "rates": "prrelation/monte_carlo_rates"},
        "figure": "5b, 6b, 7b",
        "shows": "what side knowledge adds",
        "settings": {"answers": PRRELATION["monte_carlo"]["answers"]},
    },
    "prrelation/fig8": {
        "function": "prrelation.fig8",
        "tables": {"f_scores": "prrelation/f_scores", "counted": "prrelation/monte_carlo_f_scores"},
        "figure": "8",
        "shows": "F-score against side knowledge",
        "settings": {"answers": PRRELATION["monte_carlo"]["answers"]},
    },
    "prrelation/calibrations": {
        "function": "prrelation.calibrations",
        "tables": {"calibrations": "prrelation/calibrations", "f_scores": "prrelation/f_scores"},
        "figure": "-",
        "shows": "classical, printed and analytic Gaussian",
    },
    "prrelation/choice": {
        "function": "prrelation.choice",
        "tables": {"choice": "prrelation/choice"},
        "figure": "-",
        "shows": "the largest epsilon for a bound of F",
    },
    "knowledge/fig1": {
        "function": "knowledge.fig1",
        "tables": {
            "losses_linear": "knowledge/losses_linear",
            "accepted_linear": "knowledge/accepted_linear",
            "losses_logistic": "knowledge/losses_logistic",
            "accepted_logistic": "knowledge/accepted_logistic",
        },
        "figure": "1",
        "shows": "queries that a filter accepts",
        "settings": {"epsilon": COMPOSITION["epsilon"]},
    },
    "knowledge/scan": {
        "function": "knowledge.scan",
        "tables": {"scan": "knowledge/scan"},
        "figure": "beyond 1",
        "shows": "which set-ups give the printed medians",
    },
    "knowledge/cost": {
        "function": "knowledge.cost",
        "tables": {"cost": "knowledge/cost"},
        "figure": "beyond 1, cost",
        "shows": "relaxations of the certified solver",
    },
    "knowledge/health": {
        "function": "knowledge.health",
        "tables": {"losses": "knowledge/health_losses", "spent": "knowledge/health_spent"},
        "figure": "Appendix E",
        "shows": "certified losses of the health regressions",
        "settings": {"epsilon": HEALTH["epsilon"]},
    },
    "knowledge/survey": {
        "function": "knowledge.survey",
        "tables": {"people": "knowledge/survey_people", "means": "knowledge/survey_means"},
        "figure": "beyond the paper",
        "shows": "people of the survey under a filter",
    },
}

for dataset in MEMBERSHIP_RESOLUTIONS:
    FIGURES |= {
        f"noiseless/fig3_{dataset}": {
            "function": "noiseless_membership.fig3",
            "tables": {"table": f"noiseless/membership_{dataset}"},
            "figure": "3",
            "shows": f"membership game, {dataset}",
            "settings": {"almost_zero": MEMBERSHIP["choices"]["almost_zero"]},
        },
        f"noiseless/fig3_choices_{dataset}": {
            "function": "noiseless_membership.fig3_choices",
            "tables": {"table": f"noiseless/membership_choices_{dataset}"},
            "figure": "3, choices",
            "shows": f"what the paper leaves open, {dataset}",
            "settings": {"almost_zero": MEMBERSHIP["choices"]["almost_zero"]},
        },
        f"noiseless/fig3_learned_{dataset}": {
            "function": "noiseless_membership.fig3_learned",
            "tables": {"table": f"noiseless/membership_learned_{dataset}"},
            "figure": "3, learned",
            "shows": f"a trained adversary, {dataset}",
        },
    }
    FIGURES |= {
        f"beyond/adversaries_{dataset}": {
            "function": "beyond_adversaries.adversaries",
            "tables": {
                "adversaries": f"beyond/adversaries_{dataset}",
                "repeated": f"beyond/repeated_{dataset}",
            },
            "figure": "adversaries",
            "shows": f"what an adversary knows, {dataset}",
            "settings": {key: ADVERSARIES[key] for key in ("known_shares", "shown_epsilon")},
        },
        f"beyond/custodian_{dataset}": {
            "function": "beyond_adversaries.custodian",
            "tables": {"limits": f"beyond/custodian_limits_{dataset}"},
            "figure": "custodian",
            "shows": f"homes and levels, {dataset}",
            "settings": {"gains": config["beyond"]["custodian"]["gains"]},
        },
    }

for name, function, question in (
    ("homes_ausgrid", "homes", "who is in the aggregate, Ausgrid"),
    ("homes_london", "homes", "who is in the aggregate, London"),
    ("meter", "meter", "which appliance is on"),
    ("trips", "trips", "whose trip it is"),
):
    FIGURES[f"beyond/comparison_{name}"] = {
        "function": f"beyond.{function}",
        "tables": {
            "comparison": f"beyond/comparison_{name}",
            "calibration": f"beyond/calibration_{name}",
        },
        "figure": "every mechanism at the same error",
        "shows": question,
    }


for name, figure in FIGURES.items():
    paper, drawn = Path(name).parts
    topic, function = figure["function"].split(".")

    rule:
        name:
            f"draw_{paper}_{drawn}"
        input:
            **{argument: table(each) for argument, each in figure["tables"].items()},
        output:
            png=report(
                f"results/figures/{name}.png",
                caption=f"../report/{figure.get('caption', f'{paper}_{function}')}.rst",
                category=paper,
                labels={"figure": figure["figure"], "shows": figure["shows"]},
            ),
            pdf=f"results/figures/{name}.pdf",
        log:
            f"logs/draw_{paper}_{drawn}.log",
        benchmark:
            f"benchmarks/draw_{paper}_{drawn}.tsv"
        group:
            paper
        conda:
            ENVIRONMENT
        params:
            function=f"noiseless.figures.{topic}.{function}",
            code=source_digest(f"noiseless.figures.{topic}"),
            settings=figure.get("settings", {}),
        script:
            "../scripts/draw_figure.py"
