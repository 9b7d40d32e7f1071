import { mkdir } from 'node:fs/promises'
import type { Config } from './config.ts'
import { startEmbedded } from './data/database/embedded.ts'
import { migrate } from './data/database/migrate.ts'
import { type Connection, connect, connectionString } from './data/sql.ts'
import { loadCatalogue } from './platform/geo/catalogue/load-catalogue.ts'
import { countries } from './platform/geo/countries/index.ts'
import { type ImportedFile, importPlaces } from './platform/geo/import/import-places.ts'
import { ownDataDir } from './process.ts'

export const PLACES_USAGE = `Usage: bun run import:places <CC> <file.csv|file.geojson> [<file> …] [--attribution <words>]

Takes the places of a country, CC being its two letters, from files, one after the other. Servers that are running know them within seconds.
docs/countries.md says what the files look like.`

interface Arguments {
  readonly country: string
  readonly files: readonly string[]
  readonly attribution?: string
}

/** Throws what is wrong with what was typed. */
function readArguments(given: readonly string[]): Arguments {
  const flag = given.indexOf('--attribution')
  const attribution = flag < 0 ? undefined : given[flag + 1]
  const [country = '', ...files] = given.filter((_, at) => flag < 0 || (at !== flag && at !== flag + 1))
  const isWrong = !/^[A-Za-z]{2}$/.test(country) || files.length === 0 || files.some((file) => file.startsWith('--'))
  if (isWrong || (flag >= 0 && !attribution)) throw new Error(PLACES_USAGE)
  return { country: country.toUpperCase(), files, ...(attribution !== undefined && { attribution }) }
}

/** Imports a country's places into the database of this configuration, whether a server is running on it or not. */
export async function runImport(config: Config, given: readonly string[], say: (line: string) => void): Promise<void> {
  const { country, files, attribution } = readArguments(given)
  const database = await reach(config)
  const sql = connect(database.connection, 2)
  try {
    await migrate(sql, connectionString(database.connection))
    for (const catalogue of countries) await loadCatalogue(sql, catalogue)
    for (const file of files) say(told(file, await importPlaces(sql, country, file, attribution)))
  } finally {
    await sql.end({ timeout: 5 })
    await database.leave()
  }
}

const told = (file: string, { states, cities, borders, added, changed }: ImportedFile) =>
  `${file}: ${cities} cities and ${borders} borders; the country has ${states} states now. New: ${added}, changed: ${changed}.`

interface Reached {
  readonly connection: Connection
  leave(): Promise<void>
}

/** An embedded database of a server that is running is shared with it, and goes on when we leave. */
async function reach({ databaseUrl, dataDir }: Config): Promise<Reached> {
  if (databaseUrl) return { connection: { url: databaseUrl }, leave: async () => {} }
  await mkdir(dataDir, { recursive: true })
  const release = await ownDataDir(dataDir).catch(() => undefined)
  const embedded = await startEmbedded(dataDir)
  return {
    connection: embedded.connection,
    async leave() {
      if (!release) return
      await embedded.stop()
      await release()
    },
  }
}
