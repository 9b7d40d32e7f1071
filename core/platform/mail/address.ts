const ADDRESS = /^[^\s\p{C}@<>()[\]\\,;:"]{1,64}@([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/iu
const ADDRESS_MAX = 254

/** Whether it is one address, and nothing that a mail server could take for more than that. */
export const isAddress = (text: string): boolean => text.length <= ADDRESS_MAX && ADDRESS.test(text)

/** Who sends: `Name <address>`, or an address alone. */
export interface Sender {
  readonly name: string
  readonly address: string
}

/** Null where it is none. */
export function readSender(text: string): Sender | null {
  const [, name = '', address = text.trim()] = /^([^<>\p{C}",;:]{0,100})<([^<>]+)>$/u.exec(text.trim()) ?? []
  return isAddress(address) ? { name: name.trim(), address } : null
}
