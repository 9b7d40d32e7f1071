import type { Fault, SeenCall } from '../../../plugins/social/acceptance.ts'
import type { Faults } from '../../support/simulator/faults.ts'
import type { Simulator } from '../../support/simulator/simulator.ts'

/** Every call that a provider got. */
export const callsOf = ({ requests }: Pick<Simulator, 'requests'>): SeenCall[] =>
  requests.map(({ at, method, path, query, headers, body }) => ({
    at,
    method,
    path,
    query: String(query),
    headers: Object.fromEntries(headers),
    body,
  }))

const faults: Readonly<Record<Fault, Partial<Faults>>> = {
  ignored: { ignore: 1 },
  error: { error500: 1 },
  malformed: { malformed: 1 },
  mumbled: { mumbled: 1 },
}

/** Makes all that it is asked fail. */
export const failing = (simulator: Simulator) => (fault: Fault) => void Object.assign(simulator.faults, { on: '', ...faults[fault] })

/** What leads back: it stands in the address, or in the form that a page of the provider sends. */
export async function ledBack(answer: Response): Promise<URLSearchParams> {
  const back = answer.headers.get('location')
  if (back) return new URL(back).searchParams
  const fields = (await answer.text()).matchAll(/name="([^"]+)" value="([^"]*)"/g)
  return new URLSearchParams([...fields].map(([, name = '', value = '']): [string, string] => [name, value.replaceAll('&quot;', '"')]))
}
