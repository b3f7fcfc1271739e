// Runs an FMU with fmi-rs, the library of fmusim: its loop of co-simulation, with the arguments and files of
// drive_ecos.py, then of
//   --events         event mode
//   --early          early return is allowed
//   --intermediate   intermediate update
//   --from FILE      begins with this state, instead of an initialization
//   --to FILE        writes the state at the end
// The result has a column of times. Calls that fail and what the FMU logs are written to the standard error.

use std::{env, error::Error, fs::File, path::PathBuf, sync::Arc};

use fmi_rs::fmi3::LibraryKind;
use fmi_rs::model_description::{self, FMIMajorVersion, peek_fmi_major_version};
use fmi_rs::{sim, zip::extract_zip_archive};

#[derive(Default)]
struct Options {
    events: bool,
    early: bool,
    intermediate: bool,
    from: Option<PathBuf>,
    to: Option<PathBuf>,
}

impl Options {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Options, String> {
        let mut options = Options::default();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--events" => options.events = true,
                "--early" => options.early = true,
                "--intermediate" => options.intermediate = true,
                "--from" => options.from = words.next().map(PathBuf::from),
                "--to" => options.to = words.next().map(PathBuf::from),
                _ => return Err(format!("there is no option {word}")),
            }
        }
        Ok(options)
    }
}

const TOLERANCE: f64 = 1e-9; // of comparisons of times; the FMU is not told of it

// Both versions have types of the same names and fields, but for what is given beside.
macro_rules! simulate {
    ($version:ident, $folder:expr, $inputs:expr, $outputs:expr, $result:expr, $options:expr, $($more:tt)*) => {{
        let description = Arc::new(model_description::$version::ModelDescription::from_path(
            &$folder.join("modelDescription.xml"),
        )?);
        let given = sim::$version::csv::read_csv(File::open($inputs)?, description.clone())?;
        let (begin, end) = (given.time[0], given.time[given.time.len() - 1]);
        let steps = ((end - begin) / (given.time[1] - begin)).round();  // the first is as long as all others
        let wanted = $outputs
            .lines()
            .map(|name| description.variable_index_by_name(name))
            .collect::<Result<Vec<_>, _>>()?;
        let recorder = Arc::new(sim::$version::recorder::Recorder::new(
            sim::$version::Trajectories::new(description.clone(), wanted),
        ));
        let settings = sim::$version::SimulationSettings {
            unzipdir: $folder,
            model_description: description,
            start_time: begin,
            stop_time: end,
            logging_on: true,
            set_stop_time: true,
            output_interval: (end - begin) / steps,
            log_time_scale: false,
            tolerance: TOLERANCE,
            set_tolerance: false,
            start_values: vec![],
            log_fmi_calls: false,
            input_file: None,
            early_return_allowed: $options.early,
            event_mode_used: $options.events,
            log_file: None,
            initial_fmu_state_file: $options.from,
            final_fmu_state_file: $options.to,
            $($more)*
        };
        let input = (!given.is_empty())
            .then(|| Arc::new(sim::$version::input::StaticInput::new(given, TOLERANCE)));
        sim::$version::cs::simulate(&settings, input, recorder.clone())?;
        let rows = recorder.trajectories.borrow();
        sim::$version::csv::write_csv(&rows, $result)?;
    }};
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = env::args().skip(1);
    let mut next = || words.next().ok_or("FMU INPUTS OUTPUTS RESULT are needed");
    let (fmu, inputs, outputs, result) = (next()?, next()?, std::fs::read_to_string(next()?)?, next()?);
    let options = Options::read(words)?;
    let folder = PathBuf::from(format!("{result}.unpacked"));
    extract_zip_archive(&fmu, &folder)?;

    match peek_fmi_major_version(&folder.join("modelDescription.xml"))? {
        FMIMajorVersion::V2 => simulate!(fmi2, folder, inputs, outputs, result, options,),
        FMIMajorVersion::V3 => simulate!(fmi3, folder, inputs, outputs, result, options,
            library_kind: LibraryKind::Native,
            enable_dae: false,
            visible: false,
            intermediate_update: options.intermediate,
        ),
    }
    Ok(())
}
