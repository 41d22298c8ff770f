/** Where the foreign clients are installed. */
export const clientsFolder: string;

/** Installs them when they are not there yet, or not the ones wanted; gives the folder. */
export function installClients(): Promise<string>;
