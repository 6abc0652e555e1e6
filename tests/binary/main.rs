//! The program, run as users do: its output, its files, its leftovers and its exit codes.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed, and here all is test")]

mod support;

mod certify;
mod change_points;
mod clean;
mod commands;
mod compare;
mod compare_runs;
mod completions;
mod configure;
mod credentials;
mod daily;
mod early_stop;
mod elsewhere;
mod exits;
mod export;
mod history;
mod hostile;
mod input_files;
mod interrupt;
mod json_output;
mod keep;
mod kubeconfig;
mod kubectl;
mod load;
mod load_default_thresholds;
mod load_metrics;
mod load_page;
mod load_pairs;
mod load_slo;
mod load_trouble;
mod load_wrong_responses;
mod other_readers;
mod packaging;
mod page;
mod plugin;
mod probes;
mod prove;
mod replay;
mod reports;
mod responses;
mod scenarios;
mod scripts;
mod secrets;
mod sequences;
mod setup;
mod stand_alone;
mod subject;
mod template;
mod tls;
mod usage;
mod verdicts;
