import { isRow, type Row, type StatusRule, text } from 'serai/carrier'

/** States of the default workflow: slugs, whose French descriptions fold to them, and their English names. */
const states: Readonly<Record<string, StatusRule>> = {
  // Drafts: the carrier has them, but no hub picks them up.
  commande_recue: 'submitted',
  en_traitement: 'submitted',
  appel_confirmation: 'submitted',
  commande_confirmee: 'submitted',
  en_preparation: 'submitted',
  OrderReceived: 'submitted',
  InProcessing: 'submitted',
  ConfirmationCall: 'submitted',
  OrderConfirmed: 'submitted',
  InPreparation: 'submitted',

  pret_a_expedier: 'submitted',
  ReadyToDispatch: 'submitted',
  confirme_au_bureau: 'submitted',
  confirme_chez_partenaire: 'submitted',
  ConfirmedAtBranch: 'submitted',

  dispatch: 'in_transit',
  vers_wilaya: 'in_transit',
  Dispatched: 'in_transit',
  InterWilayaTransit: 'in_transit',

  ReadyForPickup: { status: 'at_center', flag: 'ready_for_pickup' },

  sortie_en_livraison: 'out_for_delivery',
  en_livraison: 'out_for_delivery',
  OutForDelivery: 'out_for_delivery',
  InDelivery: 'out_for_delivery',
  FailedDelivery: 'delivery_failed',

  livre: 'delivered',
  'livré au client': 'delivered',
  Delivered: 'delivered',
  encaisse: { status: 'delivered', cash: 'collected' },
  Collected: { status: 'delivered', cash: 'collected' },
  // Booked by the carrier; its payouts show whether the money was paid out.
  recouvert: { status: 'delivered', cash: 'collected' },

  retour_sous_traitant: 'returning',
  attente_recuperation_fournisseur: 'returning',
  Returning: 'returning',
  recupere_par_fournisseur: 'returned',
  reinjecte_dans_stock: 'returned',
  remboursement_reinjecte: 'returned',
  Returned: 'returned',

  colis_recupere: 'picked_up',
  Cancelled: 'cancelled',
}

/** Names with an unknown meaning. Alone they are ignored; on a return they mark a return. */
const unclear = ['OrderRefused', 'ReturnConfirmed', 'WaitingClient']

export const returnWord = (word: string) => `return: ${word}`

/** Words of returns. `isReturn` is the carrier's only reliable sign of one, so the word includes it. */
const returns = Object.fromEntries(
  [...Object.keys(states), ...unclear].map((name) => [returnWord(name), states[name] === 'returned' ? 'returned' : 'returning'] as const),
)

export const statuses: Readonly<Record<string, StatusRule>> = { ...states, ...returns }

/** Returns the raw status: the tenant's name of the state, after `return: ` for a return. */
export function stateWord(state: unknown, { isReturn }: { readonly isReturn: boolean }): string | undefined {
  const word = isRow(state) ? (text(state.name) ?? text(state.description)) : text(state)
  return word && (isReturn ? returnWord(word) : word)
}

const SITUATION = 'situation: '

/**
 * Returns the raw word of a situation, such as a failed attempt or a postponement. Their list is not known: unmapped ones wait for a user.
 */
export function situationWord(situation: unknown): string | undefined {
  if (!isRow(situation)) return undefined
  const word = text(situation.slug) ?? text(situation.name)
  return word && SITUATION + word
}

export const situationReason = (situation: Row) => text(situation.description) ?? text(situation.name)

export const isSituation = ({ carrierStatus }: { readonly carrierStatus: string }) => carrierStatus.startsWith(SITUATION)
