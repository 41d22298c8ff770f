/** Where the foreign clients are installed. */
export const clientsFolder: string;

/** Installs them when they are not there yet, or not the ones wanted; gives the folder. */
export function installClients(): Promise<string>;

/** Installs the SDK's client in each of its minor versions, as `sdk-1.0.4` and so on; gives the folder. */
export function installSdks(): Promise<string>;
