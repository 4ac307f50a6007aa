"""The second opinion on ceremonies of passkeys: Debian's python3-fido2 judges each case on standard input."""

import json
import sys

from fido2.client import ClientData
from fido2.ctap2 import AttestationObject, AttestedCredentialData, AuthenticatorData
from fido2.server import Fido2Server
from fido2.utils import websafe_decode


def judge(case):
    origin = case["origin"]
    server = Fido2Server({"id": case["rpId"], "name": "x"}, verify_origin=lambda sent: sent == origin)
    state = {"challenge": case["challenge"], "user_verification": "required"}
    response = case["response"]
    client_data = ClientData(websafe_decode(response["clientDataJSON"]))
    registered = AttestationObject(websafe_decode(case["attestationObject"])).auth_data
    if "signature" not in response:
        attestation = AttestationObject(websafe_decode(response["attestationObject"]))
        server.register_complete(state, client_data, attestation)
        return
    server.authenticate_complete(
        state,
        [AttestedCredentialData(registered.credential_data)],
        websafe_decode(case["id"]),
        client_data,
        AuthenticatorData(websafe_decode(response["authenticatorData"])),
        websafe_decode(response["signature"]),
    )


def verdict(case):
    try:
        judge(case)
        return True
    except Exception:
        return False


print(json.dumps([verdict(case) for case in json.load(sys.stdin)]))
