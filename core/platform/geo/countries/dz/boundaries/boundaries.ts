import type { Borders, MultiPolygon } from '../../../shapes/border.ts'

interface Outline {
  readonly properties: { readonly code: string }
  readonly geometry: { readonly coordinates: MultiPolygon }
}

/** Borders of the 69 current wilayas. */
export const boundaries: Borders = {
  attribution: '© OpenStreetMap contributors (ODbL 1.0)',
  async read() {
    const { features } = (await Bun.file(new URL('./wilayas.geojson', import.meta.url)).json()) as { features: readonly Outline[] }
    return features.map(({ properties: { code }, geometry }) => ({
      kind: 'state',
      code,
      stateCode: code,
      coordinates: geometry.coordinates,
    }))
  },
}
