import type { Logger } from 'pino'
import type { Sql } from '../../../data/sql.ts'
import { keepImported } from '../catalogue/atlas.ts'
import { indexPlaces } from '../resolve/places.ts'
import { type ImportedCountry, listImportedCountries } from './import.queries.ts'
import { readImported } from './read-imported.ts'

const LOOK_MS = 2_000

/** Countries as the database has them, in this process. */
export interface Imports {
  /** Takes over what was imported since. */
  look(): Promise<void>
  /** Looks every two seconds, until stopped. */
  watch(): { stop(): Promise<void> }
  forget(): void
}

export function openImports(sql: Sql, log: Logger): Imports {
  const known = new Map<string, string>()
  let looking: Promise<void> | undefined

  async function take({ country, fingerprint }: ImportedCountry) {
    const catalogue = await readImported(sql, country)
    // Before anybody is answered by it: so that nobody waits while its names are put in order.
    await indexPlaces(catalogue)
    keepImported(country, catalogue)
    known.set(country, fingerprint)
  }

  async function lookOnce() {
    for (const found of await listImportedCountries(sql)) if (known.get(found.country) !== found.fingerprint) await take(found)
  }

  const look = () => {
    looking ??= lookOnce().finally(() => {
      looking = undefined
    })
    return looking
  }

  return {
    look,
    watch() {
      const timer = setInterval(() => {
        // A database that is away is told of by whoever watches it.
        look().catch((err) => log.debug({ err }, 'cannot look for imported countries now'))
      }, LOOK_MS)
      timer.unref()
      return {
        async stop() {
          clearInterval(timer)
          await looking?.catch(() => {})
        },
      }
    },
    forget() {
      for (const country of known.keys()) keepImported(country, null)
      known.clear()
    },
  }
}
