/** One host for all companies; the keys select one. */
export const host = 'procolis.com'

export interface Company {
  readonly slug: string
  readonly label: string
}

export const companies: readonly Company[] = [
  { slug: 'procolis', label: 'Procolis' },
  { slug: 'zrexpress-legacy', label: 'ZR Express (legacy)' },
  { slug: 'abex', label: 'Abex Express' },
  { slug: 'colilog', label: 'Colilog Express' },
  { slug: 'flash-delivery', label: 'Flash Delivery' },
  { slug: 'leopard', label: 'Leopard Express' },
]
