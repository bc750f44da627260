from solution import shipping_cost


def test_light_and_heavy_parcels():
    assert shipping_cost(1000) == 500
    assert shipping_cost(1001) == 900


def test_express_is_dearer():
    assert shipping_cost(200, True) == 900


def test_members_pay_for_express_alone():
    assert shipping_cost(200, False, True) == 0
    assert shipping_cost(200, True, True) == 900


def test_nothing_to_send_costs_nothing():
    assert shipping_cost(0, True) == 0
    assert shipping_cost(1, True) == 900
