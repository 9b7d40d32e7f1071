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

/** A typed address in the catalogue's words where it is sure, with how it was recognised. */
export function placeOf<D>(typed: Typed<D>) {
  const { address = '' } = typed
  const country = typed.country.toUpperCase()
  const found = resolveIn(country, { state: typed.stateCode, city: typed.cityName, address })
  const { stateCode } = found
  const sure = found.confidence >= CONFIDENT && stateCode !== null
  return {
    country,
    stateCode: sure ? stateCode : typed.stateCode,
    stateName: sure ? found.stateName : null,
    cityCode: sure ? found.cityCode : null,
    cityName: (sure && found.cityName) || typed.cityName,
    address,
    deliveryType: typed.deliveryType,
    pickupId: typed.pickupId ?? null,
    resolved: { method: found.method as string, confidence: found.confidence },
  }
}
