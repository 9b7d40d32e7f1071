import type { Logger } from 'pino'
import type { Sql } from '../../../data/sql.ts'
import { setImported } from '../catalogue/catalogues.ts'
import { indexPlaces } from '../resolve/places.ts'
import { type ImportedCountry, listImportedCountries } from './import.queries.ts'
import { readImported } from './read-imported.ts'

const POLL_MS = 2_000

/** Imported countries in this process, kept in step with the database. */
export interface ImportedCountries {
  /** Loads the countries that were imported or changed since. */
  reload(): Promise<void>
  /** Checks every two seconds until stopped. */
  watch(): { stop(): Promise<void> }
  /** Removes all imported countries from this process. */
  clear(): void
}

/** Opens the imported countries of a database. */
export function openImportedCountries(sql: Sql, log: Logger): ImportedCountries {
  const known = new Map<string, string>()
  let loading: Promise<void> | undefined

  async function loadCountry({ country, fingerprint }: ImportedCountry) {
    const catalogue = await readImported(sql, country)
    // Indexes the names before the catalogue is used, so that no request waits for it.
    await indexPlaces(catalogue)
    setImported(country, catalogue)
    known.set(country, fingerprint)
  }

  async function loadChanged() {
    for (const found of await listImportedCountries(sql)) if (known.get(found.country) !== found.fingerprint) await loadCountry(found)
  }

  const reload = () => {
    loading ??= loadChanged().finally(() => {
      loading = undefined
    })
    return loading
  }

  return {
    reload,
    watch() {
      const timer = setInterval(() => {
        // Logs at debug only, because the watcher of the database reports an outage.
        reload().catch((err) => log.debug({ err }, 'cannot look for imported countries now'))
      }, POLL_MS)
      timer.unref()
      return {
        async stop() {
          clearInterval(timer)
          await loading?.catch(() => {})
        },
      }
    },
    clear() {
      for (const country of known.keys()) setImported(country, null)
      known.clear()
    },
  }
}
