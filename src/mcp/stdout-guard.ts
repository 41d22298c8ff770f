import { Writable } from "node:stream";

/**
 * Takes stdout for a protocol: the stream returned writes to it, and whatever else the process prints there, a
 * dependency's `console.log` included, goes to stderr from now on.
 */
export function takeStdout(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  const protocol = new Writable({
    decodeStrings: false,
    highWaterMark: 1024 * 1024,
    write: (chunk, _encoding, done) => {
      write(chunk, (error) => done(error));
    },
  });
  stdout.on("error", (error) => protocol.destroy(error));
  stdout.write = ((...args: Parameters<typeof stderr.write>) => stderr.write(...args)) as typeof stdout.write;
  return protocol;
}
