import { useRef } from 'preact/hooks'
import { randomKey } from './random-key.ts'

/** Header of a creation: the same key for the same body, so that a double tap and a retry create one thing. */
export interface CreationHeader {
  readonly 'Idempotency-Key': string
}

/** Returns a function that gives the header of a creation. A changed body gets a new key. */
export function useCreationHeader(): (body: unknown) => CreationHeader {
  const last = useRef({ body: '', key: '' })
  return (body) => {
    const text = JSON.stringify(body)
    if (last.current.body !== text) last.current = { body: text, key: randomKey() }
    return { 'Idempotency-Key': last.current.key }
  }
}
