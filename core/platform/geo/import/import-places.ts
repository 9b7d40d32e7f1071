import { type Sql, type Tx, withoutStatementTimeout } from '../../../data/sql.ts'
import type { City, State } from '../catalogue/catalogue.ts'
import { isBundled } from '../catalogue/catalogues.ts'
import { saveFingerprint, upsertCities, upsertStates } from '../geo.queries.ts'
import type { Border } from '../shapes/border.ts'
import { upsertBorders } from '../shapes/borders.queries.ts'
import { CITY_BORDERS_MAX } from '../shapes/polygons.ts'
import {
  computeFingerprint,
  countImported,
  countMostCityBorders,
  findAttribution,
  isCountry,
  listImportedStates,
  lockImporting,
  upsertImported,
} from './import.queries.ts'
import { ImportError, type PlaceLine } from './place-line.ts'
import { type PlaceRow, parsePlace } from './place-row.ts'
import { readPlacesCsv } from './read-csv.ts'
import { readGeoJson } from './read-geojson.ts'

const STATES_MAX = 1_000
/** Maximum cities of an imported country. */
const CITIES_MAX = 100_000
const AT_ONCE = 500
const PROBLEMS_MAX = 20

/** Result of an import: places of the file and of the country. */
export interface ImportedFile {
  readonly states: number
  readonly cities: number
  readonly borders: number
  readonly added: number
  readonly changed: number
}

/**
 * Imports a country's places from a file, in one transaction. Places are identified by their codes: the same file changes nothing, and a
 * later file updates the places it names. Throws `ImportError` with up to twenty errors and their lines.
 */
export async function importPlaces(sql: Sql, country: string, path: string, attribution?: string): Promise<ImportedFile> {
  if (!/^[A-Z]{2}$/.test(country)) throw new ImportError('A country is named by its two letters of ISO 3166, such as MA.')
  if (isBundled(country)) throw new ImportError(`The places of ${country} come with this version: they are not imported.`)
  const read = /\.csv$/i.test(path) ? readPlacesCsv : /\.(geo)?json$/i.test(path) ? readGeoJson : undefined
  if (!read) throw new ImportError(`${path} is neither .csv nor .geojson.`)
  if (!(await Bun.file(path).exists())) throw new ImportError(`There is no file ${path}.`)
  return withoutStatementTimeout(sql, async (tx) => {
    await lockImporting(tx)
    if (!(await isCountry(tx, country))) throw new ImportError(`${country} is no country of ISO 3166.`)
    const placeImport = new PlaceImport(
      tx,
      country,
      (await listImportedStates(tx, country)).map(({ place }) => place),
    )
    for await (const line of read(path)) await placeImport.add(line)
    const imported = await placeImport.end()
    await assertLimits(tx, country)
    const fingerprint = await computeFingerprint(tx, country)
    await saveFingerprint(tx, { country, fingerprint, attribution: attribution ?? (await findAttribution(tx, country)), imported: true })
    return imported
  })
}

async function assertLimits(tx: Tx, country: string) {
  const { states, cities } = await countImported(tx, country)
  if (states > STATES_MAX) throw new ImportError(`The country would have ${states} states; there may be ${STATES_MAX}.`)
  if (cities > CITIES_MAX) throw new ImportError(`The country would have ${cities} cities; there may be ${CITIES_MAX}.`)
  const bordered = await countMostCityBorders(tx, country)
  if (bordered > CITY_BORDERS_MAX)
    throw new ImportError(`One state would have ${bordered} cities with borders; there may be ${CITY_BORDERS_MAX}.`)
}

/** Collects the lines of a file and writes them in batches. */
class PlaceImport {
  readonly #states: Map<string, State>
  /** Codes of changed states, written with the next batch. */
  readonly #changed = new Set<string>()
  readonly #seen = new Map<string, number>()
  readonly #problems: string[] = []
  #cities: City[] = []
  #borders: Border[] = []
  #counts = { states: 0, cities: 0, borders: 0, added: 0, changed: 0 }

  constructor(
    private readonly tx: Tx,
    private readonly country: string,
    known: readonly State[],
  ) {
    this.#states = new Map(known.map((state) => [state.code, state]))
  }

  async add({ line, written, border }: PlaceLine): Promise<void> {
    const row = parsePlace(written, border)
    const problems = 'problems' in row ? row.problems : this.#addRow(row, line)
    this.#problems.push(...problems.map((problem) => `line ${line}: ${problem}`))
    if (this.#problems.length >= PROBLEMS_MAX) this.#refuse()
    if (this.#cities.length + this.#borders.length >= AT_ONCE) await this.#write()
  }

  async end(): Promise<ImportedFile> {
    if (this.#problems.length > 0) this.#refuse()
    await this.#write()
    return this.#counts
  }

  #addRow({ state, city, border, isCapital, stateCode }: PlaceRow, line: number): string[] {
    if (state) this.#setState({ ...state, capitalCode: this.#states.get(stateCode)?.capitalCode ?? null })
    const known = this.#states.get(stateCode)
    if (!known) return [`there is no state ${stateCode} yet: name it here or on a line before, by state_name.`]
    if (city) {
      const before = this.#seen.get(city.code)
      if (before !== undefined) return [`the city ${city.code} stands on line ${before} already.`]
      this.#seen.set(city.code, line)
      if (this.#seen.size > CITIES_MAX) return [`there are more than ${CITIES_MAX} cities.`]
      this.#cities.push(city)
      if (isCapital) this.#setState({ ...known, capitalCode: city.code })
    }
    if (border) this.#borders.push({ kind: city ? 'city' : 'state', code: city?.code ?? stateCode, stateCode, coordinates: border })
    return []
  }

  #setState(state: State) {
    if (Bun.deepEquals(this.#states.get(state.code), state)) return
    this.#states.set(state.code, state)
    this.#changed.add(state.code)
  }

  /** Writes the collected places. Writes nothing after an error, when the rest of the file is only checked. */
  async #write() {
    const states = [...this.#changed].flatMap((code) => this.#states.get(code) ?? [])
    const [cities, borders] = [this.#cities, this.#borders]
    this.#changed.clear()
    this.#cities = []
    this.#borders = []
    if (this.#problems.length > 0) return
    await upsertStates(this.tx, this.country, states)
    await upsertCities(this.tx, this.country, cities)
    await upsertBorders(this.tx, this.country, borders)
    const counts = [
      await upsertImported(this.tx, this.country, 'state', states),
      await upsertImported(this.tx, this.country, 'city', cities),
    ]
    this.#counts = {
      states: this.#states.size,
      cities: this.#counts.cities + cities.length,
      borders: this.#counts.borders + borders.length,
      added: counts.reduce((sum, { added }) => sum + added, this.#counts.added),
      changed: counts.reduce((sum, { changed }) => sum + changed, this.#counts.changed),
    }
  }

  #refuse(): never {
    const more = this.#problems.length >= PROBLEMS_MAX ? '\nThere may be more.' : ''
    throw new ImportError(this.#problems.slice(0, PROBLEMS_MAX).join('\n') + more)
  }
}
