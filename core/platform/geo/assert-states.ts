import type { Tx } from '../../data/sql.ts'
import { invalid } from '../../http/errors.ts'
import { strangeStates } from './geo.queries.ts'

type ByState = Readonly<Record<string, unknown>> | undefined

/** Throws `invalid_request` where something is said of a state that the country does not have. What was said before stays. */
export async function assertStates(tx: Tx, country: string, said: ByState, before: ByState, path: string): Promise<void> {
  const codes = Object.keys(said ?? {}).filter((code) => before?.[code] === undefined)
  const [strange] = codes.length > 0 ? await strangeStates(tx, country, codes) : []
  if (strange !== undefined)
    throw invalid(`${path}/${strange}`, `"${strange}" is the code of no state: GET /v1/countries/${country}/states.`)
}
