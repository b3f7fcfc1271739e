// Runs an FMU in fmi4j, with the arguments and files of drive_ecos.py. With a fifth argument, inputs also go on with
// the slope to the next communication point.

import java.io.File;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.StringJoiner;

import no.ntnu.ihb.fmi4j.importer.fmi2.CoSimulationSlave;
import no.ntnu.ihb.fmi4j.importer.fmi2.Fmu;

public class DriveFmi4j {
  static void expect(boolean good, String what) {
    if (!good) throw new IllegalStateException(what + " failed");
  }

  static long[] references(CoSimulationSlave slave, String[] names) {
    return Arrays.stream(names).mapToLong(name -> slave.getModelDescription().getValueReference(name)).toArray();
  }

  static void write(PrintWriter result, CoSimulationSlave slave, long[] outputs) {
    double[] values = new double[outputs.length];
    expect(slave.readReal(outputs, values).isOK(), "reading outputs");
    StringJoiner line = new StringJoiner(",");
    for (double value : values) line.add(Double.toString(value));
    result.println(line);
  }

  public static void main(String[] arguments) throws Exception {
    String[] lines = Files.readAllLines(Path.of(arguments[1])).toArray(String[]::new);
    String[] outputNames = Files.readAllLines(Path.of(arguments[2])).toArray(String[]::new);
    boolean withSlopes = arguments.length > 4;
    String[] head = lines[0].split(",");
    double[][] rows = Arrays.stream(lines).skip(1)
        .map(line -> Arrays.stream(line.split(",")).mapToDouble(Double::parseDouble).toArray())
        .toArray(double[][]::new);

    try (Fmu fmu = Fmu.from(new File(arguments[0])); PrintWriter result = new PrintWriter(arguments[3])) {
      CoSimulationSlave slave = fmu.asCoSimulationFmu().newInstance();
      long[] inputs = references(slave, Arrays.copyOfRange(head, 1, head.length));
      long[] outputs = references(slave, outputNames);
      int[] first = new int[inputs.length];
      Arrays.fill(first, 1);
      expect(slave.setupExperiment(rows[0][0], rows[rows.length - 1][0], 0), "setting up");
      expect(slave.enterInitializationMode(), "entering initialization mode");
      expect(slave.exitInitializationMode(), "leaving initialization mode");
      result.println("\"" + String.join("\",\"", outputNames) + "\"");
      write(result, slave, outputs);
      for (int k = 0; k + 1 < rows.length; ++k) {
        double h = rows[k + 1][0] - rows[k][0];
        if (inputs.length > 0) {
          expect(slave.writeReal(inputs, Arrays.copyOfRange(rows[k], 1, head.length)).isOK(), "setting inputs");
        }
        if (withSlopes) {
          double[] slopes = new double[inputs.length];
          for (int i = 0; i < inputs.length; ++i) slopes[i] = (rows[k + 1][i + 1] - rows[k][i + 1]) / h;
          expect(slave.setRealInputDerivatives(inputs, first, slopes).isOK(), "setting slopes");
        }
        expect(slave.doStep(rows[k][0], h), "a step");
        write(result, slave, outputs);
      }
      expect(slave.terminate(), "terminating");
      slave.close();
    }
  }
}
