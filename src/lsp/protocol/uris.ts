import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/**
 * One key for the ways in which clients write one document's address: percent-encoded or not, `c%3A` or `C:`.
 * Only for comparing; a client is answered with the address it sent.
 */
export function uriKey(uri: string): string {
  const file = filePath(uri);
  return file === undefined ? decode(uri) : `file:${file.normalize("NFC")}`;
}

/** The path of a `file:` address, or `undefined` for any other. */
export function filePath(uri: string): string | undefined {
  if (!/^file:/i.test(uri)) return undefined;
  const drive = /^file:\/\/\/([a-z])(?::|%3a)(\/.*)$/i.exec(uri);
  if (drive !== null && process.platform !== "win32") return `/${drive[1]?.toLowerCase()}:${decode(drive[2] ?? "")}`;
  try {
    return path.normalize(fileURLToPath(encodeStray(uri)));
  } catch {
    return undefined;
  }
}

export function fileUri(file: string): string {
  return pathToFileURL(file).href;
}

/** Whether `file` lies in `folder` or is the folder. */
export function isInside(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative === "" || (!relative.startsWith(`..${path.sep}`) && relative !== ".." && !path.isAbsolute(relative));
}

/** The file's path below a folder, with `/`. */
export function below(folder: string, file: string): string {
  return path.relative(folder, file).split(path.sep).join("/");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Some clients leave `%`, `#` and `?` of a file's name as they are; a lone percent sign would not decode. */
const encodeStray = (uri: string): string => uri.replace(/%(?![0-9a-f]{2})/gi, "%25");
