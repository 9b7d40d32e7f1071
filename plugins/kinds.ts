import { ads } from './ads/kind.ts'
import { carrier } from './carrier/kind.ts'
import { connector } from './connector/kind.ts'
import { model } from './model/kind.ts'
import { payment } from './payment/kind.ts'
import { social } from './social/kind.ts'
import { spreadsheet } from './spreadsheet/kind.ts'

/** All kinds of plugins. A new kind is a folder and an entry here. */
export const kinds = [carrier, payment, social, connector, spreadsheet, ads, model] as const

/** Name of a kind. */
export type KindName = (typeof kinds)[number]['name']
/** Declaration of the kind with this name. */
export type KindByName<Name extends KindName> = Extract<(typeof kinds)[number], { readonly name: Name }>
