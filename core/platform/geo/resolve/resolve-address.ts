import { findStateByText } from '../catalogue/state-codes.ts'
import { resolveWithDefault } from './resolve.ts'

/** Confidence below which the address stays as it was typed, for a person to check. */
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
 * Resolves a typed address and returns it in the catalogue's terms if the confidence is high enough, with the method. A correctly named
 * state is accepted even if the city is unknown, unless the city contradicts it.
 */
export function resolveAddress<D>(typed: Typed<D>) {
  const { address = '' } = typed
  const country = typed.country.toUpperCase()
  const found = resolveWithDefault(country, { state: typed.stateCode, city: typed.cityName, address })
  const { stateCode } = found
  const sure = found.confidence >= CONFIDENT && stateCode !== null
  const written = sure || stateCode === null ? undefined : findStateByText(country, typed.stateCode)
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
