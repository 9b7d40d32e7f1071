import { stateWritten } from '../catalogue/state-codes.ts'
import { resolveIn } from './resolve.ts'

/** Below this the catalogue's guess is not taken; the address stays as it was typed and a person sees it. */
const CONFIDENT = 0.7

interface Typed<D> {
  readonly country: string
  readonly stateCode: string
  readonly cityName: string
  readonly address?: string | undefined
  readonly deliveryType: D
  readonly pickupId?: string | null | undefined
}

/**
 * A typed address in the catalogue's words where it is sure, with how it was recognised. A state that is named right is taken also where the
 * city is not known, unless the city says otherwise.
 */
export function placeOf<D>(typed: Typed<D>) {
  const { address = '' } = typed
  const country = typed.country.toUpperCase()
  const found = resolveIn(country, { state: typed.stateCode, city: typed.cityName, address })
  const { stateCode } = found
  const sure = found.confidence >= CONFIDENT && stateCode !== null
  const written = sure || stateCode === null ? undefined : stateWritten(country, typed.stateCode)
  const isState = written !== undefined && written.carrierCode === stateCode
  const current = sure ? found.currentStateCode : isState && written.code !== stateCode ? written.code : undefined
  return {
    country,
    stateCode: (sure || isState) && stateCode !== null ? stateCode : typed.stateCode,
    stateName: sure || isState ? found.stateName : null,
    ...(current !== undefined && { currentStateCode: current }),
    cityCode: sure ? found.cityCode : null,
    cityName: (sure && found.cityName) || typed.cityName,
    address,
    deliveryType: typed.deliveryType,
    pickupId: typed.pickupId ?? null,
    resolved: { method: found.method as string, confidence: found.confidence },
  }
}
