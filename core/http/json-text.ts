const texts = new WeakMap<object, string>()

/**
 * Returns the JSON of a response. The ETag and the body of one response share the text, which is written once. The response must not change
 * afterwards.
 */
export function jsonTextOf(response: object): string {
  const text = texts.get(response) ?? JSON.stringify(response)
  texts.set(response, text)
  return text
}
