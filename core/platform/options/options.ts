import type { SharedState } from '../../data/shared/shared.ts'
import { type Sql, transaction } from '../../data/sql.ts'
import { optionErrors } from './options.errors.ts'
import { OPTIONS_MAX, type Option, type OptionChange, PUBLIC_BYTES } from './options.model.ts'
import { countOtherOptions, deleteOption, listOptions, sumPublicBytes, upsertOption } from './options.queries.ts'

const CHANNEL = 'options'
/** Milliseconds that a process caches options. Bounds the delay of a missed notification. */
const CACHE_MS = 500

/** Options of the platform, cached briefly by each process. */
export interface OptionCache {
  all(): Promise<readonly Option[]>
  /** Makes every process reload the options. */
  reload(): Promise<void>
  put(key: string, change: OptionChange): Promise<Option>
  /** Deletes an option. Returns false if it did not exist. */
  remove(key: string): Promise<boolean>
}

/** Opens the options, and subscribes to their changes. */
export async function openOptionCache(sql: Sql, shared: SharedState): Promise<{ options: OptionCache; close: () => void }> {
  let known: { readonly until: number; readonly all: Promise<readonly Option[]> } | undefined
  const close = await shared.subscribe(CHANNEL, () => {
    known = undefined
  })
  const reload = () => shared.publish(CHANNEL, 'changed')
  const options: OptionCache = {
    all() {
      if (known && known.until > Date.now()) return known.all
      const all = listOptions(sql, null, OPTIONS_MAX).then((rows): readonly Option[] => rows)
      const read = { until: Date.now() + CACHE_MS, all }
      known = read
      // Forgets a failed read, so that the next call retries.
      all.catch(() => {
        if (known === read) known = undefined
      })
      return all
    },
    reload,
    async put(key, { value, isPublic }) {
      const put = await transaction(sql, async (tx) => {
        if ((await countOtherOptions(tx, key)) >= OPTIONS_MAX) throw optionErrors.tooManyOptions({ optionsMax: OPTIONS_MAX })
        const option = await upsertOption(tx, key, value, { isPublic })
        if (option.isPublic && (await sumPublicBytes(tx)) > PUBLIC_BYTES)
          throw optionErrors.publicOptionsTooLarge({ publicBytes: PUBLIC_BYTES / 1024 })
        return option
      })
      await reload()
      return put
    },
    async remove(key) {
      const wasThere = await deleteOption(sql, key)
      await reload()
      return wasThere
    },
  }
  return { options, close }
}
