import type { Config } from '../config.ts'
import { migrate } from '../data/database/migrate.ts'
import { connectionString, connectPool } from '../data/sql.ts'
import { loadCatalogue } from '../platform/geo/catalogue/load-catalogue.ts'
import { countries } from '../platform/geo/countries/index.ts'
import { type ImportedFile, importPlaces } from '../platform/geo/import/import-places.ts'
import { openConfigured } from './open-configured.ts'

/** Usage text of the `places import` command. */
export const PLACES_USAGE = `Usage: bun run import:places <CC> <file.csv|file.geojson> [<file> …] [--attribution <words>]

Imports the places of a country from one or more files. CC is the country's two-letter code. Running servers use the new places within
seconds. docs/countries.md describes the format of the files.`

interface Arguments {
  readonly country: string
  readonly files: readonly string[]
  readonly attribution?: string
}

/** Parses the arguments of the command. Throws the usage text if they are invalid. */
function readArguments(given: readonly string[]): Arguments {
  const flag = given.indexOf('--attribution')
  const attribution = flag < 0 ? undefined : given[flag + 1]
  const [country = '', ...files] = given.filter((_, at) => flag < 0 || (at !== flag && at !== flag + 1))
  const isWrong = !/^[A-Za-z]{2}$/.test(country) || files.length === 0 || files.some((file) => file.startsWith('--'))
  if (isWrong || (flag >= 0 && !attribution)) throw new Error(PLACES_USAGE)
  return { country: country.toUpperCase(), files, ...(attribution !== undefined && { attribution }) }
}

/** Imports a country's places into the configured database. A server may be running on it at the same time. */
export async function runPlacesImport(config: Config, given: readonly string[], say: (line: string) => void): Promise<void> {
  const { country, files, attribution } = readArguments(given)
  const database = await openConfigured(config)
  const sql = connectPool(database.connection, 2)
  try {
    await migrate(sql, connectionString(database.connection))
    for (const catalogue of countries) await loadCatalogue(sql, catalogue)
    for (const file of files) say(formatResult(file, await importPlaces(sql, country, file, attribution)))
  } finally {
    await sql.end({ timeout: 5 })
    await database.leave()
  }
}

const formatResult = (file: string, { states, cities, borders, added, changed }: ImportedFile) =>
  `${file}: ${cities} cities and ${borders} borders; the country has ${states} states now. New: ${added}, changed: ${changed}.`
