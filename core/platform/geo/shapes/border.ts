/** Rings of longitude and latitude, as GeoJSON has them. */
export type MultiPolygon = readonly (readonly (readonly (readonly [longitude: number, latitude: number])[])[])[]

export interface Border {
  readonly kind: 'state' | 'city'
  readonly code: string
  readonly stateCode: string
  readonly coordinates: MultiPolygon
}

/** Borders of a country's places, read where they are needed, and whom to name where they are shown. */
export interface Borders {
  readonly attribution: string
  read(): Promise<readonly Border[]>
}
