import type { StatusRule } from 'serai/carrier'

/** Each word begins with the carrier's id of the status, which alone is relied on; the name behind it is there for people. */
export const statuses: Readonly<Record<string, StatusRule>> = {
  // It stands in the carrier's system, which is what we call submitted.
  '1 EN PREPARATION': 'submitted',
  '2 PRÊT À EXPÉDIER': 'submitted',
  // Waiting for what is not said: it moves nothing that is on its way.
  '12 EN ATTENTE': 'submitted',
  '26 WAREHOUSE EN PREPARATION': 'submitted',
  '28 WAREHOUSE PRET': 'submitted',
  '33 PAS ENCORE RAMASSÉ': 'submitted',
  '34 DROPSHIP EN PREPARATION': 'submitted',
  '35 DROPSHIP PRET': 'submitted',
  '43 FRET EN PREPARATION': 'submitted',
  '44 FRET PRET': 'submitted',

  '23 PICKUP': 'picked_up',

  '3 EXPEDIE': 'in_transit',
  '4 VERS WILAYA (SAC)': 'in_transit',
  '6 TRANSFERT (SAC)': 'in_transit',
  '21 SOCIETE PARTENAIRE': 'in_transit',
  '24 En Dispatche': 'in_transit',
  '25 Dispatché': 'in_transit',
  '112 En localisation': 'in_transit',
  '114 En Transit': 'in_transit',

  '5 CENTRE (HUB)': 'at_center',
  '40 AU CENTRE': 'at_center',
  '113 Prêt pour livreur': 'at_center',
  '115 En Hub': 'at_center',

  '7 SORTIE EN LIVRAISON': 'out_for_delivery',

  '9 ÉCHEC DE LIVRAISON': 'delivery_failed',
  '13 TENTATIVE ÉCHOUÉE 1': 'delivery_failed',
  '14 TENTATIVE ÉCHOUÉE 2': 'delivery_failed',
  '15 TENTATIVE ÉCHOUÉE 3': 'delivery_failed',
  '22 REFUSÉ': 'delivery_failed',

  '10 ALERT': 'on_hold',
  '11 REPORTER (Date)': 'on_hold',
  '27 WAREHOUSE HORS STOCK': 'on_hold',
  '83 Bloqué': 'on_hold',

  '8 LIVRÉ': 'delivered',
  '39 ECHANGE COLLECTÉ': 'delivered',
  // Goods that came back in exchange wait to be fetched; whether that proves a delivery is not known.
  '36 ECHANGE A RETIRER': null,

  '16 RETOUR VERS CENTRE': 'returning',
  '17 RETOURNEE AU CENTRE': 'returning',
  '18 RETOUR A RETIRER': 'returning',
  '19 RETOUR VERS VENDEUR (SAC)': 'returning',
  '116 Retour (Station)': 'returning',

  '20 RETOURNEE AU VENDEUR (SAC)': 'returned',
  '29 WAREHOUSE RETOURNÉE': 'returned',
  '37 DROPSHIPS RETOURNEÉ': 'returned',
  '32 WAREHOUSE RETOURNÉE ENDOMAGÉ': { status: 'returned', flag: 'damaged' },
  '38 DROPSHIPS RETOURNEÉ ENDOMMAGÉ': { status: 'returned', flag: 'damaged' },

  '30 WAREHOUSE DEMANDE ANNULATION': 'cancelled',
  '31 WAREHOUSE ANNULÉE': 'cancelled',
  '41 DROPSHIPS DEMANDE ANNULATION': 'cancelled',
  '42 DROPSHIPS ANNULÉE': 'cancelled',
  '45 FRET DEMANDE ANNULATION': 'cancelled',
  '46 FRET ANNULÉE': 'cancelled',

  '118 Perdu': 'lost',
}

const words = new Map(Object.keys(statuses).map((word) => [word.slice(0, word.indexOf(' ')), word]))

/**
 * The raw word of a status: of an id that is known always the same one, however the carrier spells its name; of any other the id and
 * the name that came with it, so that a person can tell what it is.
 */
export const statusWord = (id: number | undefined, name = '') => words.get(String(id)) ?? `${id ?? ''} ${name}`.replace(/\s+/gu, ' ').trim()
