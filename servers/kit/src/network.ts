/** Where a server may connect: for servers that reach the web on behalf of a model. */

export {
  bareHost,
  type NetworkPolicy,
  type NetworkRules,
  networkPolicy,
  portOf,
} from './network/network-policy.ts'
export { networkSettings } from './network/network-settings.ts'
export { pinnedLookup } from './network/pinned-lookup.ts'
export { isPublicAddress } from './network/public-address.ts'
export { allowedAddresses, type Resolve, systemResolve } from './network/resolve.ts'
