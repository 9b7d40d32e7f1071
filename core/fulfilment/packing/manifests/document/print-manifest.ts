import type { Context } from '../../../../context.ts'
import type { Language } from '../../../../http/pages/language.ts'
import { workerQueue } from '../../../../lib/async/worker-queue.ts'
import { dayFormat } from '../../../../lib/day-format.ts'
import { labelErrors } from '../../../../logistics/labels/labels.errors.ts'
import type { Store } from '../../../../shop/stores/stores.model.ts'
import { timeZoneOf } from '../../../../shop/stores/time-zone.ts'
import { readManifest } from '../lock-manifest.ts'
import type { ManifestContents } from './draw-manifest.ts'

const drawInWorker = workerQueue<ManifestContents, Uint8Array>(new URL('./draw-manifest.worker.ts', import.meta.url), {
  jobTimeoutMs: 20_000,
  maxJobs: 16,
  maxJobsPerOwner: 2,
  idleTimeoutMs: 60_000,
  timeoutError: () => labelErrors.printingTimedOut({ retryAfterSeconds: 5 }),
  overloadError: () => labelErrors.printerBusy({ retryAfterSeconds: 5 }),
})

/** Prints a manifest as a PDF for two signatures, in the given language. Throws `not_found`, and `unavailable` when too many wait. */
export async function printManifest(
  { sql, plugins }: Context,
  store: Store,
  id: string,
  { language, signal }: { readonly language: Language; readonly signal: AbortSignal },
): Promise<Uint8Array> {
  const manifest = await readManifest(sql, { projectId: store.projectId, id })
  const { closedAt, createdAt, carrier, currency, codTotal, parcels } = manifest
  const contents: ManifestContents = {
    language,
    id,
    isDraft: closedAt === null,
    carrier: plugins.find('carrier', carrier)?.carrier.label ?? carrier,
    store: store.name,
    date: dayFormat('fr-FR', timeZoneOf(store)).format(new Date(closedAt ?? createdAt)),
    currency,
    codTotal,
    rows: parcels.map(({ trackingId, recipientName, cityName, codAmount }) => ({ trackingId, recipientName, cityName, codAmount })),
  }
  return drawInWorker(contents, store.projectId, signal)
}
