/** One platform, many companies: each has its own host, tokens and tariffs. */
export interface Company {
  readonly slug: string
  readonly label: string
  /** Known API host; null when only the merchant knows it. Companies move, so each connection can override it. */
  readonly host: string | null
  /** False when the host only follows the pattern of the others and no client is known to use it. */
  readonly verified: boolean
  /** Accepts several orders in one call. */
  readonly bulk: boolean
}

type Named = readonly [slug: string, label: string, host: string]

// A host without a dot is a subdomain of ecotrack.dz.
const knownCompanies: readonly Named[] = [
  // dhd.ecotrack.dz answers every call with a redirect to this one.
  ['dhd', 'DHD', 'platform.dhd-dz.com'],
  ['conexlog', 'Conexlog (UPS agent)', 'app.conexlog-dz.com'],
  ['anderson', 'Anderson', 'anderson-ecommerce'],
  ['areex', 'Areex', 'areex'],
  ['ba-consult', 'BA Consult', 'bacexpress'],
  ['coyote-express', 'Coyote Express', 'coyoteexpressdz'],
  ['ecotrack-48hr', '48Hr Livraison', '48hr'],
  ['fret-direct', 'FRET.Direct', 'fret'],
  ['golivri', 'GOLIVRI', 'golivri'],
  ['mono-hub', 'Mono Hub', 'mono'],
  ['msm-go', 'MSM Go', 'msmgo'],
  ['negmar-express', 'NegMar Express', 'negmar'],
  ['packers', 'Packers', 'packers'],
  ['prest', 'Prest', 'prest'],
  ['rb-livraison', 'RB Livraison', 'rblivraison'],
  ['rex-livraison', 'Rex Livraison', 'rex'],
  ['rocket-delivery', 'Rocket Delivery', 'rocket'],
  ['salva-delivery', 'Salva Delivery', 'salvadelivery'],
  ['speed-delivery', 'Speed Delivery', 'speeddelivery'],
  ['tsl-express', 'TSL Express', 'tsl'],
  ['world-express', 'WorldExpress', 'world-express'],
  ['distazero', 'Distazero', 'distazero'],
  ['swift', 'Swift', 'swift'],
  ['allolivraison', 'AlloLivraison', 'allolivraison'],
  ['samex', 'Samex', 'samex'],
  ['sbl-express', 'SBL Express', 'sbl'],
  ['weewee-delivery', 'WeeWee Delivery', 'weeweedelivery'],
  ['jaguar-livraison', 'Jaguar Livraison', 'jaguar'],
  ['rj360-express', 'RJ360 Express', 'rj360express'],
  ['expedia-chrono', 'Expedia Chrono', 'expediachrono'],
  ['mars-express', 'Mars Express', 'marsexpress'],
  ['lynx', 'Lynx', 'lynx'],
  ['eco-rapide-express', 'Eco Rapide Express', 'ecorapide-express'],
  // Another Navex delivers in Tunisia.
  ['navex-dz', 'Navex Delivery (DZ)', 'navexdelivery'],
  ['rm-express', 'RM Express', 'rmexpress'],
  ['rihal-express', 'Rihal Express', 'rihalexpress'],
  ['atlas-express', 'Atlas Express', 'atlaexpress'],
  ['boogi', 'Boogi', 'boogi'],
  ['chronorex', 'Chronorex', 'chronorex'],
  ['cirta-express', 'Cirta Express', 'cirtaexpress'],
  ['colireli', 'Colireli', 'colireli'],
  ['colizone', 'Colizone', 'colizone'],
  ['gs-ecommerce', 'GS Ecommerce', 'gsecommerce'],
  ['jo-express', 'Jo Express', 'joexpress'],
  ['om-express', 'OM Express', 'omexpress'],
  ['on-time-express', 'On Time Express', 'ontime'],
  ['pdex', 'PDEX', 'pdex'],
  ['quick-delivery', 'Quick Delivery', 'quickdelivery'],
  ['rs-express', 'RS Express', 'rsexpress'],
  ['ruta-express', 'Ruta Express', 'rutaexpress'],
  ['tawsil-star', 'Tawsil Star', 'tawsil'],
  ['univer-delivery', 'Univer Delivery', 'univerdelivery'],
  ['vitrans', 'Vitrans', 'vitrans'],
  ['aranex', 'Aranex', 'aranex'],
  ['bfk-express', 'BFK Express', 'bfkexpress'],
  ['hhd-express', 'HHD (HDD) Express', 'hhdexpress'],
  ['med-express', 'Med Express', 'medexpress'],
  ['alania-express', 'Alania Express', 'alania'],
  ['champion-logistics', 'Champion Logistics', 'champion'],
  ['colex', 'Colex', 'colex'],
  ['delivromail', 'DelivroMail', 'delivromail'],
  ['elguide-delivery', 'ElGuide Delivery', 'elguidedelivery'],
  ['fast-horse-express', 'Fast Horse Express', 'fasthorse'],
  ['fz-delivery', 'FZ Delivery', 'fzdelivery'],
  ['imir-logistics', 'Imir Logistics', 'imir'],
  ['lihlih-express', 'LihLih Express', 'lihlihexpress'],
  ['mazaya-logistics', 'Mazaya Logistics', 'mazaya'],
  ['ovred', 'Ovred', 'ovred'],
  ['speed-mail', 'Speed Mail', 'speedmail'],
  ['win-delivery', 'Win Delivery', 'windelivery'],
  ['amana-speed', 'Amana Speed', 'amana'],
  ['zinya-tec', 'Zinya Tec', 'zinyatec'],
  ['sultan-colis-express', 'Sultan Colis Express', 'sultancolisexpress'],
  ['majorex', 'MajorEx', 'majorex'],
  ['redex', 'RedEx', 'redex'],
]

const derived: readonly Named[] = [
  ['ab-delivery', 'AB Delivery', 'abdelivery'],
  ['assil-delivery', 'Assil Delivery', 'assildelivery'],
  ['oksbox', 'Oksbox', 'oksbox'],
  ['one-express', 'One Express', 'oneexpress'],
  ['royaume-delivery', 'Royaume Delivery', 'royaumedelivery'],
  ['si-express', 'SI Express', 'siexpress'],
  ['ultra-express', 'Ultra Express', 'ultraexpress'],
  ['wassim-express', 'Wassim Express', 'wassimexpress'],
]

/** Companies that answered 500 to several orders in one call when tested. */
const ONE_BY_ONE = new Set(['packers'])

const company =
  (verified: boolean) =>
  ([slug, label, host]: Named): Company => ({
    slug,
    label,
    host: host.includes('.') ? host : `${host}.ecotrack.dz`,
    verified,
    bulk: !ONE_BY_ONE.has(slug),
  })

/** Entry for companies that are not in the list. Orders are sent one by one, since bulk support is unknown. */
const any: Company = { slug: 'ecotrack', label: 'Ecotrack (any company)', host: null, verified: true, bulk: false }

export const companies: readonly Company[] = [...knownCompanies.map(company(true)), ...derived.map(company(false)), any]
