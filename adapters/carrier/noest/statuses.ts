import type { StatusRule } from 'serai/carrier'

/** Statuses by key of the activity feed, which mixes delivery, money and edits. */
export const statuses = {
  // Drafts are in the carrier's system too: `submitted` here.
  upload: 'submitted',
  customer_validation: 'submitted',

  validation_collect_colis: 'picked_up',

  validation_reception_admin: 'at_center',
  // The driver has it, and leaves with the run sheet (`fdr_activated`).
  validation_reception: 'at_center',
  sent_to_redispatch: 'at_center',
  nouvel_tentative_asked_by_customer: 'at_center',
  annulation_dispatch_retour: 'at_center',
  cancel_return_dispatched_to_partenaire: 'at_center',
  return_redispatched_to_livraison: 'at_center',

  fdr_activated: 'out_for_delivery',
  mise_a_jour: 'delivery_failed',
  colis_suspendu: 'on_hold',

  livre: 'delivered',
  livred: 'delivered',
  echange_valide: 'delivered',
  echange_valid_by_hub: 'delivered',

  livraison_echoue_recu: 'returning',
  return_asked_by_customer: 'returning',
  return_asked_by_hub: 'returning',
  retour_dispatched_to_partenaires: 'returning',
  return_dispatched_to_partenaire: 'returning',
  colis_retour_transmit_to_partner: 'returning',
  return_dispatched_to_warehouse: 'returning',
  return_validated_by_partener: 'returned',

  // Pickup orders: goods that travel from the recipient to the shop.
  pickedup: 'picked_up',
  pickup_picked_recu: 'picked_up',
  colis_pickup_transmit_to_partner: 'in_transit',

  verssement_admin_cust: { cash: 'paid_out' },
  validation_reception_cash_by_partener: { cash: 'payout_confirmed' },
  verssement_admin_cust_canceled: { cash: 'payout_cancelled' },
  verssement_hub_cust_canceled: { cash: 'payout_cancelled' },

  // Requested, not done: a deleted parcel is no longer in the system.
  ask_to_delete_by_admin: null,
  ask_to_delete_by_hub: null,
  edited_informations: null,
  edit_price: null,
  edit_wilaya: null,
  extra_fee: null,
} as const satisfies Readonly<Record<string, StatusRule>>

const movesNothing = new Set(
  Object.entries<StatusRule>(statuses).flatMap(([key, rule]) => (rule === null || (typeof rule === 'object' && !rule.status) ? key : [])),
)

/** Returns true for an event about the parcel's location. Unknown events count, so that they are shown. */
export const isDelivery = (key: string) => !movesNothing.has(key)

/** Events of a parcel that has not left. */
export const DRAFT: string = 'upload' satisfies keyof typeof statuses
export const VALIDATED: string = 'customer_validation' satisfies keyof typeof statuses
