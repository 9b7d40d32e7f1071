import { Type as T } from '@sinclair/typebox'
import { type Center, Label } from '../../../plugins/carrier/model.ts'
import type { PrintedLabel } from '../../../plugins/carrier/segments.model.ts'
import type { Context } from '../../context.ts'
import { ApiError, notFound } from '../../http/errors/errors.ts'
import { callAdapter } from '../../integrations/connections/calls/call-adapter.ts'
import { requireMembers } from '../../integrations/connections/calls/require-members.ts'
import type { CarrierConnection } from '../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../integrations/egress/adapter-failure.ts'
import { yieldEvery } from '../../lib/async/yield-every.ts'
import { invariant } from '../../lib/invariant.ts'
import { findStore } from '../../shop/stores/stores.queries.ts'
import { contentsOf } from './contents.ts'
import { fetchFiles } from './fetch-files.ts'
import type { LabelContents, Paper } from './label.model.ts'
import { findForLabels } from './labels.queries.ts'
import { beginsAsPdf, PDF } from './rendering/pdf.ts'
import { press } from './rendering/press.ts'

/** Of all files of carriers in one document. */
const BYTES_MAX = 20 * 1024 * 1024
/** A label is not held up by the name of a centre: its code does as well. */
const CENTERS_MS = 3_000
/** Characters of base64 in which a file says what it is. */
const HEAD_LENGTH = 2048

export interface Printing {
  /** Four to a sheet on A4. */
  readonly paper?: Paper
  /** Ours, although the carrier has labels. */
  readonly own?: boolean
}

/**
 * Labels of several parcels: the carrier's where it has them, else ours. Merged, all that are PDFs become one, those too of which the
 * carrier gave the address; what is none follows by itself, and says why. Throws `not_found` for a number that has no label,
 * `carrier_error` for a file that cannot be read.
 */
export async function printLabels(
  context: Context,
  connection: CarrierConnection,
  trackings: readonly string[],
  { merge = true, paper = 'a6', own = false }: Printing & { merge?: boolean },
): Promise<PrintedLabel[]> {
  if (own || !connection.mounted.carrier.labels) {
    const labels = await ourLabels(context, connection, trackings)
    if (merge) return [await printed(connection, labels, trackings, paper)]
    return inTurn(labels, (label) => printed(connection, [label], [label.tracking], paper))
  }
  const labels = await carrierLabels(context, connection, trackings)
  if (merge) return merged(connection, await fetchFiles(context, connection, labels, BYTES_MAX), paper)
  const isSheet = labels.some((label) => trackingsOf(label).length > 1)
  const alone = async (tracking: string) => invariant((await carrierLabels(context, connection, [tracking]))[0], 'A label of the carrier')
  return inTurn(isSheet ? await inTurn(trackings, alone) : labels, (label) =>
    paper === 'a4' && isPdf(label) ? bound(connection, [label], paper) : label,
  )
}

/** The label of one parcel. */
export async function printLabel(context: Context, connection: CarrierConnection, tracking: string, printing: Printing): Promise<Label> {
  const [label] = await printLabels(context, connection, [tracking], { ...printing, merge: false })
  if (!label) throw notFound('The parcel')
  return label.trackingIds?.length === 1 ? single(label, tracking) : label
}

const single = ({ trackingIds: _, ...label }: Label, trackingId: string): Label => ({ trackingId, ...label })

/** Its bytes, or the way to where the carrier serves it; the address may hold for a minute only, so that nobody may keep it. */
export function labelResponse({ contentType, base64, url }: Label): Response {
  const headers = { 'cache-control': 'private, no-store' }
  if (base64) return new Response(Buffer.from(base64, 'base64'), { headers: { ...headers, 'content-type': contentType } })
  return new Response(null, { status: 302, headers: { ...headers, location: invariant(url, 'The address of a label') } })
}

/** For one who asks for PDF rather than JSON: the bytes, where all is in one document. */
export function asAccepted(labels: PrintedLabel[], request: Request): PrintedLabel[] | Response {
  const accepted = (request.headers.get('accept') ?? '').split(',').map((type) => type.replace(/;.*/s, '').trim().toLowerCase())
  const [only, ...others] = labels
  return accepted.includes(PDF) && only && others.length === 0 && isPdf(only) ? labelResponse(only) : labels
}

async function ourLabels(context: Context, connection: CarrierConnection, trackings: readonly string[]): Promise<LabelContents[]> {
  const { row, mounted } = connection
  const [parcels, found] = await Promise.all([findForLabels(context.sql, row, trackings), findStore(context.sql, row.storeId)])
  const store = invariant(found, 'The store of a connection')
  const byTracking = new Map(parcels.map((parcel) => [parcel.trackingId, parcel]))
  refuseMissing(mounted.carrier.label, trackings, byTracking)
  const centers = await centersOf(context, connection, [
    ...new Set(parcels.filter(({ destination }) => destination.pickupId).map(({ destination }) => destination.stateCode)),
  ])
  const pause = yieldEvery()
  const labels: LabelContents[] = []
  for (const tracking of trackings) {
    labels.push(contentsOf(invariant(byTracking.get(tracking), 'A parcel that was found'), store, mounted.carrier, centers))
    await pause()
  }
  return labels
}

async function centersOf(context: Context, connection: CarrierConnection, stateIds: readonly string[]): Promise<Center[]> {
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

async function carrierLabels(context: Context, connection: CarrierConnection, trackings: readonly string[]): Promise<Label[]> {
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
  // A sheet that does not say what is on it may have everything on it.
  if (labels.length === 0 || named.length > 0) refuseMissing(name, trackings, new Set(named))
  for (const label of labels) if (isPdf(label) && !looksLikePdf(label)) throw unreadable(name, [label])
  const empty = labels.filter(({ base64, url }) => !base64 && !url)
  if (empty.length > 0) throw unreadable(name, empty)
  return labels
}

const trackingsOf = ({ trackingId, trackingIds }: Label) => trackingIds ?? (trackingId === undefined ? [] : [trackingId])
type Pdf = Label & { readonly base64: string }
const isPdf = (label: Label): label is Pdf => label.base64 !== undefined && label.contentType.toLowerCase().startsWith(PDF)
const bytesOf = ({ base64 }: Pdf) => new Uint8Array(Buffer.from(base64, 'base64'))
const looksLikePdf = ({ base64 }: Pdf) => beginsAsPdf(Buffer.from(base64.slice(0, HEAD_LENGTH), 'base64'))

function refuseMissing(carrier: string, trackings: readonly string[], labelled: { has(tracking: string): boolean }) {
  const missing = trackings.filter((tracking) => !labelled.has(tracking))
  if (missing.length > 0) throw new ApiError('not_found', `${carrier} has no label for ${missing.join(', ')} of this store.`)
}

const unreadable = (carrier: string, labels: readonly Label[]) =>
  new ApiError(
    'carrier_error',
    `${carrier} gave a label that cannot be read, for ${labels.flatMap(trackingsOf).join(', ') || 'parcels that it does not name'}. Leave it out, or ask with own: true.`,
  )

async function merged(connection: CarrierConnection, labels: readonly PrintedLabel[], paper: Paper): Promise<PrintedLabel[]> {
  const files = labels.filter(isPdf)
  return [...(files.length > 0 ? [await bound(connection, files, paper)] : []), ...labels.filter((label) => !isPdf(label))]
}

async function bound({ row, mounted }: CarrierConnection, labels: readonly Pdf[], paper: Paper): Promise<Label> {
  const parts = labels.map((label) => ({ pdf: bytesOf(label) }))
  const bytes = parts.reduce((sum, { pdf }) => sum + pdf.length, 0)
  if (bytes > BYTES_MAX)
    throw new ApiError('payload_too_large', `The labels are ${bytes} bytes together, of ${BYTES_MAX}. Ask for fewer at once.`)
  const document = await press({ parts, paper }, row.projectId)
  if ('broken' in document)
    throw unreadable(
      mounted.carrier.label,
      labels.filter((_, at) => document.broken.includes(at)),
    )
  return asLabel(document.pdf, labels.flatMap(trackingsOf))
}

async function printed(
  { row }: CarrierConnection,
  labels: readonly LabelContents[],
  trackings: readonly string[],
  paper: Paper,
): Promise<Label> {
  const document = await press({ parts: [{ labels }], paper }, row.projectId)
  if ('broken' in document) throw new Error('A label of ours could not be read again.')
  return asLabel(document.pdf, trackings)
}

const asLabel = (pdf: Uint8Array, trackings: readonly string[]): Label => ({
  contentType: PDF,
  base64: Buffer.from(pdf).toString('base64'),
  trackingIds: [...trackings],
})

async function inTurn<V>(labels: readonly V[], work: (label: V) => Label | Promise<Label>): Promise<Label[]> {
  const done: Label[] = []
  for (const label of labels) done.push(await work(label))
  return done
}
