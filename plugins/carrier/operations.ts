import { Type as T } from '@sinclair/typebox'
import { heardConnectionOperations } from '../connection.operations.ts'
import { get, getOrPost, type Operation, post, remove } from '../operation.ts'
import { exact, StorableText } from '../schema.ts'
import { cashOperations } from './cash.operations.ts'
import type { MemberName } from './members.ts'
import { CarrierParcel, Label, StockProduct } from './model.ts'
import { placeOperations } from './places.operations.ts'
import { ofTracking, ofTrackings, RemovedRow, SendRowResult } from './rows.model.ts'
import {
  Counts,
  LabelOptions,
  PrintedLabel,
  Query,
  Removed,
  Resolved,
  SendOrder,
  SendOrders,
  SendResult,
  SyncState,
  Text,
  Tracking,
} from './segments.model.ts'
import { signInOperations } from './sign-in.operations.ts'

/** Operations of carriers: every segment below /v1/stores/{storeId}/integrations/{carrier}/, and the members that it needs. */
export const carrierOperations = {
  ...heardConnectionOperations,
  ...placeOperations,
  statistics: get({
    paths: ['statistics'],
    role: 'viewer',
    needs: [],
    summary: "Counts of this store's parcels with the carrier",
    response: Counts,
  }),
  stockProducts: get({
    paths: ['stock/products'],
    role: 'viewer',
    needs: ['stockProducts'],
    summary: "Goods in the carrier's warehouse",
    rows: StockProduct,
  }),
  syncStatus: get({
    paths: ['sync/status'],
    role: 'viewer',
    needs: ['track'],
    summary: 'State of the last synchronisation',
    response: SyncState,
  }),
  ...cashOperations,
  send: post({
    paths: ['send'],
    role: 'agent',
    needs: [],
    mayTakeLonger: true,
    summary: 'Send one order',
    body: SendOrder,
    response: SendResult,
  }),
  sendMany: post({
    paths: ['sendMany'],
    role: 'agent',
    needs: [],
    summary: 'Send many orders; the response has a row for each (same as POST /v1/orders/send, which new clients should use)',
    body: SendOrders,
    response: T.Array(SendRowResult),
  }),
  resolve: post({
    paths: ['resolve'],
    role: 'viewer',
    needs: [],
    summary: "Resolve an address in the carrier's geography",
    body: exact({ country: Text(2), state: Text(200), city: Text(200), address: Text(500) }),
    response: Resolved,
  }),
  labels: post({
    paths: ['labels'],
    role: 'agent',
    needs: [],
    summary: 'Labels of several parcels as one PDF; raw bytes if the client accepts application/pdf',
    body: ofTrackings({ merge: T.Optional(T.Boolean({ default: true })), ...LabelOptions }),
    response: T.Array(PrintedLabel),
  }),
  labelIndividual: post({
    paths: ['labelIndividual'],
    role: 'agent',
    needs: [],
    summary: 'Label of one parcel',
    body: ofTracking(LabelOptions),
    response: Label,
  }),
  label: get({
    paths: ['orders/:tracking/label', 'parcels/:tracking/label'],
    role: 'agent',
    needs: [],
    summary: 'Label of one parcel: its bytes, or a redirect to the file at the carrier',
    params: Tracking,
    query: Query({ paper: LabelOptions.paper }),
    bytes: 'application/pdf',
  }),
  scoring: post({
    paths: ['scoring'],
    role: 'agent',
    needs: [],
    summary: "A recipient's past deliveries over the whole platform, by phone: counts only, up to 300 times an hour",
    body: exact({ phone: StorableText(40, 3) }),
    response: T.Object({
      phone: T.String(),
      parcels: T.Integer(),
      delivered: T.Integer(),
      returned: T.Integer(),
      score: T.Union([T.Number(), T.Null()]),
    }),
  }),
  setupWebhook: post({
    paths: ['setupWebhook'],
    role: 'admin',
    needs: ['setupWebhook', 'webhook'],
    summary: 'Subscribe our webhook address at the carrier',
    response: T.Object({
      url: T.String(),
      replaced: T.Array(T.String(), {
        description:
          'credentials of the connection whose value was replaced by the new one of the carrier; callbacks are verified with the new value from now on',
      }),
    }),
  }),
  ping: getOrPost({
    paths: ['ping'],
    role: 'viewer',
    needs: [],
    summary: 'Test the connection to the carrier',
    response: T.Object({ ok: T.Boolean(), milliseconds: T.Integer(), message: T.Optional(T.String()) }),
  }),
  sync: post({
    paths: ['sync'],
    role: 'agent',
    needs: ['track'],
    status: 202,
    summary: 'Read the status of all open parcels from the carrier',
    response: SyncState,
  }),
  ...signInOperations,
  syncOrders: post({
    paths: [],
    brand: '/v1/actions/sync{Brand}Orders',
    role: 'agent',
    needs: ['track'],
    status: 202,
    summary: 'Read the status of all open parcels of a store from the carrier',
    body: exact({ storeId: T.String({ minLength: 1, maxLength: 64 }) }),
    response: SyncState,
  }),
  deleteMany: post({
    paths: ['orders/deleteMany'],
    role: 'agent',
    needs: ['cancel'],
    summary: 'Cancel several parcels at the carrier',
    body: ofTrackings({}),
    response: T.Array(RemovedRow),
  }),
  validate: post({
    paths: ['orders/:tracking/validate'],
    role: 'agent',
    needs: ['validate', 'track'],
    summary: 'Confirm a draft at the carrier',
    params: Tracking,
    response: CarrierParcel,
  }),
  track: get({
    paths: ['parcels/:tracking'],
    role: 'viewer',
    needs: ['track'],
    summary: 'A parcel as the carrier has it',
    params: Tracking,
    response: CarrierParcel,
  }),
  remove: remove({
    paths: ['orders/:tracking', 'parcels/:tracking'],
    role: 'agent',
    needs: ['cancel'],
    summary: 'Cancel a parcel at the carrier',
    params: Tracking,
    response: Removed,
  }),
  removeMany: remove({
    paths: ['orders'],
    role: 'agent',
    needs: ['cancel'],
    summary: 'Cancel several parcels at the carrier',
    query: Query({
      trackingIds: T.Optional(T.String({ minLength: 1, maxLength: 5000, description: 'required; separated by commas, up to 100' })),
      trackings: T.Optional(T.String({ minLength: 1, maxLength: 5000, description: 'earlier name of trackingIds', deprecated: true })),
    }),
    response: T.Array(RemovedRow),
  }),
  list: getOrPost({
    paths: ['list'],
    role: 'viewer',
    needs: ['list'],
    summary: "The account's parcels at the carrier",
    query: Query({
      // Opaque, as the carrier returned it.
      cursor: Text(200),
      status: Text(120),
      since: T.Optional(T.Union([T.String({ format: 'date-time' }), T.String({ format: 'date' })], { description: 'ISO 8601' })),
    }),
    rows: CarrierParcel,
  }),
} satisfies Record<string, Operation & { readonly needs: readonly (MemberName | 'webhook')[] }>

/** Name of an operation of carriers. */
export type CarrierOperationName = keyof typeof carrierOperations
