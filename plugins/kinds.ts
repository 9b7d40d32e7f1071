import { ads } from './ads/kind.ts'
import { carrier } from './carrier/kind.ts'
import { connector } from './connector/kind.ts'
import { model } from './model/kind.ts'
import { payment } from './payment/kind.ts'
import { social } from './social/kind.ts'
import { spreadsheet } from './spreadsheet/kind.ts'

/** Every kind of plugin that there is: its folder, and its line here. */
export const kinds = [carrier, payment, social, connector, spreadsheet, ads, model] as const

export type KindName = (typeof kinds)[number]['name']
/** The declaration of a kind, by its name. */
export type KindNamed<Name extends KindName> = Extract<(typeof kinds)[number], { readonly name: Name }>
