import type { Sql } from '../../../data/sql.ts'
import { sha256 } from '../../../lib/crypto/crypto.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { requireCatalogue } from '../catalogue/list-catalog.ts'
import { geoErrors } from '../geo.errors.ts'
import { findState, indexedCatalogueOf } from '../resolve/places.ts'
import { type BorderRow, findBorderInfo, listCityBorders, listStateBorders } from './borders.queries.ts'

interface Asked {
  readonly country: string
  readonly state?: string | undefined
  readonly kind: 'state' | 'city'
}

/** Maximum cities with borders in a state. The import enforces it. */
export const CITY_BORDERS_MAX = 2_000
const STATE_BORDERS_MAX = 500
const DAY_SECONDS = 86_400

/**
 * Builds the response with borders as GeoJSON. Concatenates stored texts, which need not be parsed. Throws `not_found` and 400 if cities
 * are requested without a state.
 */
export async function borderResponse(sql: Sql, { country, state, kind }: Asked, known: string | null): Promise<Response> {
  const catalogue = requireCatalogue(country)
  const wanted = state === undefined ? undefined : findState(indexedCatalogueOf(catalogue), state)
  if (state !== undefined && !wanted) throw notFound(`The state ${state}`)
  if (kind === 'city' && !wanted) throw geoErrors.stateMissing({ field: ['state'] })
  const found = await findBorderInfo(sql, catalogue.country)
  if (!found) throw notFound(`Borders of ${catalogue.country}`)
  const etag = `"${sha256([found.fingerprint, catalogue.country, kind, wanted?.code].join('|')).slice(0, 27)}"`
  const headers = { etag, 'cache-control': `private, max-age=${DAY_SECONDS}`, 'content-type': 'application/json' }
  if (known?.split(',').some((each) => each.trim().replace(/^W\//, '') === etag)) return new Response(null, { status: 304, headers })
  const rows =
    kind === 'city' && wanted
      ? await listCityBorders(sql, catalogue.country, wanted.code, CITY_BORDERS_MAX)
      : await listStateBorders(sql, catalogue.country, wanted?.code ?? null, STATE_BORDERS_MAX)
  const attribution = JSON.stringify(found.attribution)
  const features = rows.map((row) => featureOf(row, kind)).join(',')
  return new Response(`{"data":{"type":"FeatureCollection","attribution":${attribution},"features":[${features}]}}`, { headers })
}

const featureOf = ({ coordinates, nameAr, ...row }: BorderRow, kind: Asked['kind']) =>
  `{"type":"Feature","properties":${JSON.stringify({ kind, ...row, nameAr: nameAr ?? '' })},"geometry":{"type":"MultiPolygon","coordinates":${coordinates}}}`
