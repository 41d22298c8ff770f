export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What a started server gets of this process's environment: these names and no others. A pattern such as `NPM_*` would
 * hand on `NPM_TOKEN`; whatever else a server needs is named in the configuration.
 */
const inherited: ReadonlySet<string> = new Set([
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "HOSTNAME", "TERM", "TMPDIR", "TZ"],
  ...["LANG", "LANGUAGE", "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_MONETARY", "LC_NUMERIC", "LC_TIME"],
  ...["NODE_ENV", "NODE_PATH", "NODE_EXTRA_CA_CERTS", "NPM_CONFIG_CACHE", "NPM_CONFIG_PREFIX"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "CA_CERT_FILE", "CURL_CA_BUNDLE"],
]);
/** On Windows nothing starts without these; their case varies there. */
const inheritedOnWindows: ReadonlySet<string> = new Set(
  "APPDATA LOCALAPPDATA PATHEXT SYSTEMROOT SYSTEMDRIVE TEMP TMP USERPROFILE COMSPEC PATH".split(" "),
);

export function childEnvironment(
  own: Environment,
  added: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const kept = Object.entries(own).filter((entry): entry is [string, string] => {
    const [name, value] = entry;
    if (value === undefined) return false;
    return inherited.has(name) || (process.platform === "win32" && inheritedOnWindows.has(name.toUpperCase()));
  });
  return { ...Object.fromEntries(kept), ...added };
}

/** Settings of the mounted concept server that it shares with this process; never a right and never a token. */
const conceptSettings: ReadonlySet<string> = new Set([
  ...["CONCEPTS", "LEDGER", "LOG_LEVEL", "STRICTNESS", "LOG_QUERIES", "LOG_QUERY_TEXT", "READ_ONLY"].map(
    (name) => `IAIP_DSL_${name}`,
  ),
  ...["NODE_OPTIONS", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"],
  ...["PGHOST", "PGPORT", "PGUSER", "PGPASSWORD", "PGPASSFILE", "PGDATABASE", "PGSSLMODE", "PGSSLROOTCERT"],
]);

/** What the mounted concept server gets beyond `childEnvironment`. Grants are given to it by flag, for each caller. */
export function conceptEnvironment(own: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(own).filter((entry): entry is [string, string] => {
      return conceptSettings.has(entry[0]) && entry[1] !== undefined;
    }),
  );
}
