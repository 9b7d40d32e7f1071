import { type Static, Type as T } from '@sinclair/typebox'
import { languages } from '../../../http/pages/language.ts'
import { defineList } from '../../../http/resource/list.ts'
import { exact, Id, Money, Nullable, named, oneOf, Sum, Timestamp } from '../../../http/schema.ts'
import { AuditActor } from '../../../platform/audit/audit.model.ts'
import { Codes, ScanResult } from '../scans/scans.model.ts'

/** Parcels of one manifest at most. */
export const MANIFEST_PARCELS_MAX = 500

/** Statuses of a manifest. */
const manifestStatuses = ['open', 'closed'] as const

/** Request that begins a manifest. */
export const NewManifest = named(
  'NewManifest',
  exact({ connectionId: { ...Id, description: 'carrier connection of the store, whose parcels it takes' } }),
)

/** Request that scans parcels into a manifest. */
export const ManifestScan = named('ManifestScan', exact({ codes: Codes }))

/** Query of the document of a manifest. */
export const DocumentQuery = T.Object({
  language: T.Optional(oneOf(languages, { description: 'by default the first supported language of Accept-Language, else English' })),
})

const fields = {
  id: Id,
  connectionId: Id,
  carrier: T.String({ description: "the carrier's slug" }),
  status: oneOf(manifestStatuses),
  parcelCount: T.Integer({ minimum: 0 }),
  codTotal: Sum('amount to collect of all its parcels, in the major unit of `currency`'),
  currency: T.String(),
  createdAt: Timestamp,
  createdBy: AuditActor,
  closedAt: Nullable(Timestamp),
  closedBy: Nullable(AuditActor),
}
/** Manifest in a list. */
export const Manifest = named('Manifest', T.Object(fields))
/** Type of {@link Manifest}. */
export type Manifest = Static<typeof Manifest>

/** Parcel of a manifest. */
export const ManifestParcel = named(
  'ManifestParcel',
  T.Object({
    parcelId: Id,
    trackingId: T.String(),
    recipientName: T.String(),
    cityName: T.String(),
    codAmount: Money,
    addedAt: Timestamp,
  }),
)
/** Type of {@link ManifestParcel}. */
export type ManifestParcel = Static<typeof ManifestParcel>

/** Manifest with its parcels, in the order of the scans. */
export const ManifestDetails = named('ManifestDetails', T.Object({ ...fields, parcels: T.Array(ManifestParcel) }))
/** Type of {@link ManifestDetails}. */
export type ManifestDetails = Static<typeof ManifestDetails>

/** Results of scanning into a manifest, and the manifest after it. */
export const ManifestScanned = named('ManifestScanned', T.Object({ manifest: Manifest, results: T.Array(ScanResult) }))
/** Type of {@link ManifestScanned}. */
export type ManifestScanned = Static<typeof ManifestScanned>

/** Closed manifest, and the parcels that it left out. */
export const ManifestClosing = named(
  'ManifestClosing',
  T.Object({
    manifest: ManifestDetails,
    removed: T.Array(ManifestParcel, { description: 'parcels that were cancelled or deleted since they were scanned' }),
  }),
)
/** Type of {@link ManifestClosing}. */
export type ManifestClosing = Static<typeof ManifestClosing>

/** List of manifests, newest first. */
export const manifestList = defineList({ sorts: null, filters: { connectionId: Id, status: oneOf(manifestStatuses) } })
