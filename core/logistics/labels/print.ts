import { Type as T } from '@sinclair/typebox'
import { Label } from '../../../plugins/carrier/model.ts'
import type { Center } from '../../../plugins/carrier/places.model.ts'
import type { PrintedLabel } from '../../../plugins/carrier/segments.model.ts'
import type { Context } from '../../context.ts'
import { callAdapter } from '../../integrations/connections/calls/call-adapter.ts'
import { requireMembers } from '../../integrations/connections/calls/require-members.ts'
import type { CarrierConnection } from '../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../integrations/egress/adapter-failure.ts'
import { yieldEvery } from '../../lib/async/yield-every.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { invariant } from '../../lib/invariant.ts'
import { findStore } from '../../shop/stores/stores.queries.ts'
import { markParcelsPrinted } from '../parcels/change/mark-printed.ts'
import { labelContentsOf } from './contents.ts'
import { fetchLabelFiles } from './fetch-files.ts'
import type { LabelContents, PaperSize } from './label.model.ts'
import { labelErrors } from './labels.errors.ts'
import { findLabelRows } from './labels.queries.ts'
import { hasPdfHeader, PDF_TYPE } from './rendering/pdf.ts'
import { printDocument } from './rendering/print-queue.ts'

/** Maximum size of all carrier files in one document. */
const BYTES_MAX = 20 * 1024 * 1024
/** Deadline for reading names of pickup points; without the name, the label shows the code. */
const CENTERS_MS = 3_000
/** Number of base64 characters that contain the header of a file. */
const HEAD_LENGTH = 2048

/** Options for printing labels. */
export interface PrintOptions {
  /** `a4` prints four labels on a sheet. */
  readonly paper?: PaperSize
  /** True prints our own label even when the carrier offers one. */
  readonly own?: boolean
  /** Aborted when the caller leaves: what is not printed yet is left out. */
  readonly signal?: AbortSignal
}

/**
 * Prints the labels of several parcels: the carrier's if it offers labels, else our own. `merge` joins all PDFs into one document; other
 * files follow separately, with the reason. Records the time of printing on the parcels. Throws `not_found` for a number without a label,
 * `carrier_error` for an unreadable file.
 */
export async function printLabels(
  context: Context,
  connection: CarrierConnection,
  trackings: readonly string[],
  options: PrintOptions & { merge?: boolean },
): Promise<PrintedLabel[]> {
  const labels = await renderLabels(context, connection, trackings, options)
  await markParcelsPrinted(context.sql, connection.row, trackings)
  return labels
}

async function renderLabels(
  context: Context,
  connection: CarrierConnection,
  trackings: readonly string[],
  { merge = true, paper = 'a6', own = false, signal }: PrintOptions & { merge?: boolean },
): Promise<PrintedLabel[]> {
  if (own || !connection.mounted.carrier.labels) {
    const labels = await buildOwnLabels(context, connection, trackings)
    if (merge) return [await printOwnLabels(connection, labels, { paper, signal })]
    return mapInSequence(labels, (label) => printOwnLabels(connection, [label], { paper, signal }))
  }
  const labels = await fetchCarrierLabels(context, connection, trackings)
  if (merge) return mergeLabels(connection, await fetchLabelFiles(context, connection, labels, BYTES_MAX), { paper, signal })
  const isSheet = labels.some((label) => trackingsOf(label).length > 1)
  const fetchOne = async (tracking: string) =>
    invariant((await fetchCarrierLabels(context, connection, [tracking]))[0], 'A label of the carrier')
  return mapInSequence(isSheet ? await mapInSequence(trackings, fetchOne) : labels, (label) =>
    paper === 'a4' && isPdf(label) ? bindLabels(connection, [label], { paper, signal }) : label,
  )
}

/** Prints the label of one parcel. */
export async function printLabel(
  context: Context,
  connection: CarrierConnection,
  tracking: string,
  printing: PrintOptions,
): Promise<Label> {
  const [label] = await printLabels(context, connection, [tracking], { ...printing, merge: false })
  if (!label) throw notFound('The parcel')
  return label.trackingIds?.length === 1 ? singleLabel(label, tracking) : label
}

const singleLabel = ({ trackingIds: _, ...label }: Label, trackingId: string): Label => ({ trackingId, ...label })

/**
 * Responds with the bytes of a label, or redirects to its address at the carrier. Forbids caching, because that address may expire within a
 * minute.
 */
export function labelResponse({ contentType, base64, url }: Label): Response {
  const headers = { 'cache-control': 'private, no-store' }
  if (base64) return new Response(Buffer.from(base64, 'base64'), { headers: { ...headers, 'content-type': contentType } })
  return new Response(null, { status: 302, headers: { ...headers, location: invariant(url, 'The address of a label') } })
}

/** Responds with the PDF itself when the request accepts PDF and all labels are in one document; otherwise returns the labels. */
export function negotiateLabels(labels: PrintedLabel[], request: Request): PrintedLabel[] | Response {
  const accepted = (request.headers.get('accept') ?? '').split(',').map((type) => type.replace(/;.*/s, '').trim().toLowerCase())
  const [only, ...others] = labels
  return accepted.includes(PDF_TYPE) && only && others.length === 0 && isPdf(only) ? labelResponse(only) : labels
}

async function buildOwnLabels(context: Context, connection: CarrierConnection, trackings: readonly string[]): Promise<LabelContents[]> {
  const { row, mounted } = connection
  const [parcels, found] = await Promise.all([findLabelRows(context.sql, row, trackings), findStore(context.sql, row.storeId)])
  const store = invariant(found, 'The store of a connection')
  const byTracking = new Map(parcels.map((parcel) => [parcel.trackingId, parcel]))
  assertAllLabelled(mounted.carrier.label, trackings, byTracking)
  const centers = await readCenters(context, connection, [
    ...new Set(parcels.filter(({ destination }) => destination.pickupId).map(({ destination }) => destination.stateCode)),
  ])
  const pause = yieldEvery()
  const labels: LabelContents[] = []
  for (const tracking of trackings) {
    labels.push(labelContentsOf(invariant(byTracking.get(tracking), 'A parcel that was found'), store, mounted.carrier, centers))
    await pause()
  }
  return labels
}

async function readCenters(context: Context, connection: CarrierConnection, stateIds: readonly string[]): Promise<Center[]> {
  if (!connection.mounted.carrier.centers || stateIds.length === 0) return []
  const lists = stateIds.map((stateId) =>
    callAdapter(context, connection, (carrier, adapter) => requireMembers(carrier, 'centers').centers(adapter, { stateId }), {
      operation: 'centers',
      deadlineMs: CENTERS_MS,
    }).catch((error) => {
      if (error instanceof AdapterFailure) return [] as Center[]
      throw error
    }),
  )
  return (await Promise.all(lists)).flat()
}

async function fetchCarrierLabels(context: Context, connection: CarrierConnection, trackings: readonly string[]): Promise<Label[]> {
  const labels = await callAdapter(
    context,
    connection,
    (carrier, adapter) => requireMembers(carrier, 'labels').labels(adapter, trackings),
    {
      operation: 'labels',
      schema: T.Array(Label),
    },
  )
  const { label: name } = connection.mounted.carrier
  const named = labels.flatMap(trackingsOf)
  // A sheet without tracking numbers may contain all labels.
  if (labels.length === 0 || named.length > 0) assertAllLabelled(name, trackings, new Set(named))
  for (const label of labels) if (isPdf(label) && !looksLikePdf(label)) throw unreadableError(name, [label])
  const empty = labels.filter(({ base64, url }) => !base64 && !url)
  if (empty.length > 0) throw unreadableError(name, empty)
  return labels
}

const trackingsOf = ({ trackingId, trackingIds }: Label) => trackingIds ?? (trackingId === undefined ? [] : [trackingId])
type Pdf = Label & { readonly base64: string }
const isPdf = (label: Label): label is Pdf => label.base64 !== undefined && label.contentType.toLowerCase().startsWith(PDF_TYPE)
const bytesOf = ({ base64 }: Pdf) => new Uint8Array(Buffer.from(base64, 'base64'))
const looksLikePdf = ({ base64 }: Pdf) => hasPdfHeader(Buffer.from(base64.slice(0, HEAD_LENGTH), 'base64'))

function assertAllLabelled(carrier: string, trackings: readonly string[], labelled: { has(tracking: string): boolean }) {
  const missing = trackings.filter((tracking) => !labelled.has(tracking))
  if (missing.length > 0) throw labelErrors.labelMissing({ carrier, missing: missing.join(', ') })
}

const unreadableError = (carrier: string, labels: readonly Label[]) =>
  labelErrors.labelUnreadable({ carrier, labels: labels.flatMap(trackingsOf).join(', ') || 'parcels that it does not name' })

/** Paper of a document, and the signal that its caller left. */
interface Printing {
  readonly paper: PaperSize
  readonly signal: AbortSignal | undefined
}

async function mergeLabels(connection: CarrierConnection, labels: readonly PrintedLabel[], printing: Printing): Promise<PrintedLabel[]> {
  const files = labels.filter(isPdf)
  return [...(files.length > 0 ? [await bindLabels(connection, files, printing)] : []), ...labels.filter((label) => !isPdf(label))]
}

async function bindLabels({ row, mounted }: CarrierConnection, labels: readonly Pdf[], { paper, signal }: Printing): Promise<Label> {
  const parts = labels.map((label) => ({ pdf: bytesOf(label) }))
  const bytes = parts.reduce((sum, { pdf }) => sum + pdf.length, 0)
  if (bytes > BYTES_MAX) throw labelErrors.labelsTooLarge({ bytes, bytesMax: BYTES_MAX })
  const document = await printDocument({ parts, paper }, row.projectId, signal)
  if ('broken' in document)
    throw unreadableError(
      mounted.carrier.label,
      labels.filter((_, at) => document.broken.includes(at)),
    )
  return toLabel(document.pdf, labels.flatMap(trackingsOf))
}

async function printOwnLabels({ row }: CarrierConnection, labels: readonly LabelContents[], { paper, signal }: Printing): Promise<Label> {
  const document = await printDocument({ parts: [{ labels }], paper }, row.projectId, signal)
  if ('broken' in document) throw new Error('A label of ours could not be read again.')
  return toLabel(
    document.pdf,
    labels.map(({ tracking }) => tracking),
  )
}

const toLabel = (pdf: Uint8Array, trackings: readonly string[]): Label => ({
  contentType: PDF_TYPE,
  base64: Buffer.from(pdf).toString('base64'),
  trackingIds: [...trackings],
})

async function mapInSequence<V>(labels: readonly V[], work: (label: V) => Label | Promise<Label>): Promise<Label[]> {
  const done: Label[] = []
  for (const label of labels) done.push(await work(label))
  return done
}
