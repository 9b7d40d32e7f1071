import type { MultiPolygon } from '../shapes/border.ts'
import { ImportError, type PlaceLine } from './place-line.ts'
import { columns, type PlaceColumns } from './place-row.ts'
import { readFeatures } from './read-features.ts'
import { simplifyBorder } from './simplify.ts'

interface Feature {
  readonly properties?: Readonly<Record<string, unknown>> | null
  readonly geometry?: { readonly type?: unknown; readonly coordinates?: unknown } | null
}

/** Reads the features of a GeoJSON file. A point is the position of a city. An area is the border of a city or, without one, of a state. */
export async function* readGeoJson(path: string): AsyncGenerator<PlaceLine> {
  const texts = Bun.file(path).stream().pipeThrough(new TextDecoderStream())
  for await (const { text, line } of readFeatures(texts as unknown as AsyncIterable<string>)) yield { line, ...read(text, line) }
}

function read(text: string, line: number): Omit<PlaceLine, 'line'> {
  const { properties, geometry } = parse(text, line)
  const written: Record<string, string> = {}
  for (const column of columns) {
    const value = properties?.[column]
    if (Array.isArray(value)) written[column] = value.map(String).join('|')
    else if (value !== undefined && value !== null) written[column] = String(value)
  }
  return { written: { ...written, ...(geometry && positionOf(geometry, line)) } as PlaceColumns, ...borderOf(geometry, line) }
}

function parse(text: string, line: number): Feature {
  try {
    return JSON.parse(text) as Feature
  } catch {
    throw new ImportError(`line ${line}: the feature is no JSON.`)
  }
}

function positionOf({ type, coordinates }: NonNullable<Feature['geometry']>, line: number): PlaceColumns | undefined {
  if (type !== 'Point') return undefined
  if (!isPosition(coordinates)) throw new ImportError(`line ${line}: a Point is [longitude, latitude].`)
  return { longitude: plain(coordinates[0]), latitude: plain(coordinates[1]) }
}

const plain = (degrees: number) => degrees.toFixed(7)

function borderOf(geometry: Feature['geometry'], line: number): { border?: MultiPolygon } {
  const { type, coordinates } = geometry ?? {}
  if (type !== 'Polygon' && type !== 'MultiPolygon') return {}
  const surfaces: unknown = type === 'Polygon' ? [coordinates] : coordinates
  if (!isMultiPolygon(surfaces)) throw new ImportError(`line ${line}: the ${type} has coordinates that are none of one.`)
  return { border: simplifyBorder(surfaces) }
}

const isPosition = (value: unknown): value is [number, number] =>
  Array.isArray(value) && value.length >= 2 && within(value[0], 180) && within(value[1], 90)
const within = (value: unknown, most: number) => typeof value === 'number' && Math.abs(value) <= most
const isRing = (value: unknown) => Array.isArray(value) && value.length >= 4 && value.every(isPosition)
const isSurface = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isRing)
const isMultiPolygon = (value: unknown): value is MultiPolygon => Array.isArray(value) && value.length > 0 && value.every(isSurface)
