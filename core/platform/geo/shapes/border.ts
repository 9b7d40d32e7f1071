/** Polygons as in GeoJSON: rings of longitude and latitude. */
export type MultiPolygon = readonly (readonly (readonly (readonly [longitude: number, latitude: number])[])[])[]

/** Border of a state or a city. */
export interface Border {
  readonly kind: 'state' | 'city'
  readonly code: string
  readonly stateCode: string
  readonly coordinates: MultiPolygon
}

/** Borders of a country's places, read when needed, and the source to attribute. */
export interface Borders {
  readonly attribution: string
  read(): Promise<readonly Border[]>
}
