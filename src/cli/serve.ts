export async function runServe(): Promise<number> {
  return 0;
}
