const BYTES = 16

/** Makes a key that nobody can guess: 32 hexadecimal digits. `crypto.randomUUID` is absent over plain HTTP. */
export const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(BYTES))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
