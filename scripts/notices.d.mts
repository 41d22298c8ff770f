interface Metafile {
  readonly outputs: Readonly<Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>>;
}
interface Notice {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly by: string | undefined;
  readonly texts: readonly string[];
}
export function bundledPackages(metafiles: readonly Metafile[]): readonly string[];
export function noticesOf(folders: readonly string[], base?: string): readonly Notice[];
export function writeNotices(metafiles: readonly Metafile[], file: string): void;
export function printNotices(entries: readonly Notice[]): string;
