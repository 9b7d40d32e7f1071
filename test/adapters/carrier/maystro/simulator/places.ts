import { algeria } from '../../../../../core/platform/geo/countries/dz/catalogue.ts'

/** Numbers of its own, so that none is taken for ours. */
const OWN = 100

export const wilayas = algeria.states.map(({ code, name }) => ({ id: OWN + Number(code), name }))

export const communes = algeria.cities.map(({ code, name, stateCode }) => ({
  id: 10 * Number(code) + 7,
  name,
  wilaya: OWN + Number(stateCode),
}))

/** It has no tariff there. */
const UNPRICED_WILAYA = OWN + 54

/** Made-up prices, the same across a wilaya; undefined where there is no tariff. */
export function priceTo(
  communeId: number,
  { express, stopDesk }: { readonly express: boolean; readonly stopDesk: boolean },
): number | undefined {
  const commune = communes.find(({ id }) => id === communeId)
  if (!commune || commune.wilaya === UNPRICED_WILAYA) return undefined
  return 400 + 5 * (commune.wilaya - OWN) + (express ? 200 : 0) - (stopDesk ? 150 : 0)
}
