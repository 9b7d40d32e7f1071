import type { Carrier, CarrierContext } from '../../plugins/carrier/contract.ts'
import type { Center, City, State } from '../../plugins/carrier/model.ts'
import type { Context } from '../context.ts'
import { algeria } from '../geo/catalogue.ts'
import { fold, tighten } from '../geo/fold.ts'
import { resolverOf } from '../geo/resolve.ts'
import { type Account, callCarrier } from './call-carrier.ts'

interface Typed {
  readonly country?: string
  readonly state?: string
  readonly city?: string
  readonly address?: string
}

const same = (left: string, right: string) => tighten(fold(left)) === tighten(fold(right))

/** An address as typed, in our catalogue's words, and whether and how the carrier delivers there. Never the first row as a fallback. */
export async function resolveForCarrier(context: Context, account: Account, typed: Typed) {
  const { country = 'DZ', ...rest } = typed
  const { stateCode, stateName, cityName, method, confidence } = resolverOf(algeria).resolve({ country, ...rest })
  const answer = { stateCode, stateName, cityName, method: method as string, confidence }
  const { states, cities, centers } = account.mounted.carrier
  if (!stateCode || !states) return { ...answer, deliverable: { home: null, pickup: null }, centers: [] }
  const look = async (_carrier: Carrier, adapter: CarrierContext) => {
    const state = (await states(adapter)).find((row: State) => row.code === stateCode || same(row.name, stateName ?? ''))
    const stateId = state?.id
    if (!stateId) return { ...answer, deliverable: { home: false, pickup: false }, centers: [] as Center[] }
    const city =
      cityName && cities
        ? (await cities(adapter, { stateId })).find((row: City) => row.stateId === stateId && same(row.name, cityName))
        : undefined
    const near = centers ? (await centers(adapter, { stateId })).filter((row: Center) => row.stateId === stateId) : []
    return {
      ...answer,
      deliverable: { home: city ? city.home : null, pickup: city ? city.pickup : near.length > 0 },
      centers: near.slice(0, 50),
    }
  }
  return callCarrier(context, account, look, { operation: 'resolve' })
}
