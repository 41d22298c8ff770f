/** What a started server gets of the gateway's environment. Nothing else: secrets reach it by name only. */
const handedOn = /^(PATH|HOME|USER|LANG|LC_.*|NODE_.*|NPM_.*|HOSTNAME|TERM|SSL_CERT.*|CA_CERT.*|CURL_CA.*|TMPDIR)$/;
/** On Windows nothing starts without these. */
const handedOnWindows = /^(APPDATA|LOCALAPPDATA|PATHEXT|SYSTEMROOT|SYSTEMDRIVE|TEMP|USERPROFILE|COMSPEC)$/i;

export type Environment = Readonly<Record<string, string | undefined>>;

export function childEnvironment(
  own: Environment,
  added: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const kept = Object.entries(own).filter((entry): entry is [string, string] => {
    const [name, value] = entry;
    if (value === undefined) return false;
    return handedOn.test(name) || (process.platform === "win32" && handedOnWindows.test(name));
  });
  return { ...Object.fromEntries(kept), ...added };
}
