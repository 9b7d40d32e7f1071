import type { OrderEdit } from '../../../plugins/connector/acceptance.ts'

/** Places in the JSON of an order where a platform writes each field; `*` is every entry of a list. */
export type Places = Partial<Record<keyof OrderEdit, readonly string[]>>

type Json = Record<string, unknown>

/** Changes that a person of the shop made to orders, laid over what a simulator shows of them. */
export function openEdits(places: Places) {
  const made = new Map<string, [place: string, value: unknown][]>()
  return {
    fields: Object.keys(places) as (keyof OrderEdit)[],
    edit(id: string | number, change: OrderEdit): void {
      const known = made.get(String(id)) ?? []
      for (const [field, value] of Object.entries(change)) {
        const found = places[field as keyof OrderEdit]
        if (!found) throw new Error(`This shop has no place for ${field}.`)
        known.push(...found.map((place): [string, unknown] => [place, value]))
      }
      made.set(String(id), known)
    },
    /** The order as it is shown, with what was changed of it. */
    apply<J extends object>(id: string | number, json: J): J {
      const changes = made.get(String(id))
      if (!changes) return json
      const shown = structuredClone(json)
      for (const [place, value] of changes) setAt(shown as Json, place.split('.'), value)
      return shown
    },
  }
}

/** Sets a value where its place is there: a list that was emptied has none. */
export function setAt(json: unknown, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (typeof json !== 'object' || json === null) return
  const entries = name === '*' ? Object.keys(json) : [name]
  for (const entry of entries)
    if (rest.length === 0) (json as Json)[entry] = value
    else setAt((json as Json)[entry], rest, value)
}
