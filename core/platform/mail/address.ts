const ADDRESS = /^[^\s\p{C}@<>()[\]\\,;:"]{1,64}@([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/iu
const ADDRESS_MAX = 254

/** Returns true if a text is exactly one e-mail address that no mail server can misread as more. */
export const isEmailAddress = (text: string): boolean => text.length <= ADDRESS_MAX && ADDRESS.test(text)

/** Sender of mails: `Name <address>`, or an address alone. */
export interface Sender {
  readonly name: string
  readonly address: string
}

/** Parses a sender; null if it is invalid. */
export function parseSender(text: string): Sender | null {
  const [, name = '', address = text.trim()] = /^([^<>\p{C}",;:]{0,100})<([^<>]+)>$/u.exec(text.trim()) ?? []
  return isEmailAddress(address) ? { name: name.trim(), address } : null
}
